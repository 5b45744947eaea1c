//! The tools that a prompt lists, as in `search(query :string) -> [:map]`: their names, parameters and fields.

use super::{Found, Name, NameKind, Target};
use crate::{
    ide::unit::UnitView,
    model::{
        Type, TypeKind,
        listed::{ListedTool, listed_tools},
    },
};
use signature_ls_source::text::TextRange;

impl UnitView<'_> {
    /// The tools that its prompts list, in bytes from the unit's start.
    pub(crate) fn listed_tools(&self) -> Vec<ListedTool> {
        let listed = self.listings().flat_map(|(start, text)| {
            let tools = listed_tools(&text, self.edition).into_iter();
            tools.map(move |it| ListedTool {
                name_range: it.name_range + start,
                signature_range: it.signature_range + start,
                ..it
            })
        });
        listed.collect()
    }
}

/// Adds the names in the listings in the unit's prompts.
pub(super) fn add(view: &UnitView<'_>, found: &mut Found) {
    for tool in &view.listed_tools() {
        found.names.push(Name {
            range: tool.name_range,
            kind: NameKind::ToolCall,
            target: Target::Tool(tool.name.clone()),
        });
        // The places in a listing without colons are those of another text.
        if !tool.is_lisp {
            Fields { view, tool, found }.add();
        }
    }
}

/// Adds the names in the signature of a listed tool.
struct Fields<'a> {
    view: &'a UnitView<'a>,
    tool: &'a ListedTool,
    found: &'a mut Found,
}

impl Fields<'_> {
    fn add(&mut self) {
        let signature = &self.tool.signature;
        let tool = || self.tool.name.clone();
        let inputs = Type::new(TypeKind::Record(signature.params.clone()));
        self.fields(&inputs, &[], &|path| Target::Argument {
            tool: tool(),
            path,
        });
        self.fields(&signature.output, &[], &|path| Target::Result {
            tool: tool(),
            path,
        });
    }

    fn fields(&mut self, ty: &Type, around: &[String], target: &dyn Fn(Vec<String>) -> Target) {
        let fields = match &ty.kind {
            TypeKind::List(element) => return self.fields(element, around, target),
            TypeKind::Record(fields) => fields,
            TypeKind::Primitive(_) | TypeKind::Unknown => return,
        };
        for field in fields {
            let mut path = around.to_vec();
            path.push(self.view.edition.normal_name(&field.name));
            let start = self.tool.signature_range.start();
            self.found.names.push(Name {
                range: TextRange::at(start + field.name_range.start(), field.name_range.len()),
                kind: NameKind::Listed,
                target: target(path.clone()),
            });
            self.fields(&field.ty, &path, target);
        }
    }
}
