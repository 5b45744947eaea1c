//! What a document's signatures look like to a model: every tool and agent with its description.

use crate::{
    host::{PlacedUnit, Role, Site},
    ide::{
        Document,
        unit::{Tree, UnitAnalysis},
    },
    model::Signature,
    syntax::decode::decode,
    text::TextRange,
};

/// A tool or an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name of a tool that has one.
    pub name: Option<String>,
    /// What is known of the signature.
    pub signature: Signature,
    /// Whether the signature has no errors.
    pub is_sound: bool,
    /// What it says of itself.
    pub description: Option<String>,
    /// The signature's literal, in bytes of the document.
    pub range: TextRange,
}

/// The tools and agents of `document`, in the order of the text.
pub fn listing(document: &Document) -> Vec<Listed> {
    let units = document.units();
    let mut listed: Vec<Listed> = units
        .flat_map(|(placed, analysis)| of_unit(document, placed, analysis))
        .collect();
    listed.sort_by_key(|it| it.range.start());
    listed
}

fn of_unit(document: &Document, placed: &PlacedUnit, analysis: &UnitAnalysis) -> Vec<Listed> {
    let sites = &placed.unit.sites;
    let fragments = sites.iter().zip(&analysis.fragments);
    let listed = fragments.filter_map(|(site, fragment)| {
        let Tree::Signature { lowered, .. } = &fragment.tree else {
            return None;
        };
        let mut problems = lowered.problems.iter();
        Some(Listed {
            name: site.name.clone(),
            signature: lowered.signature.clone(),
            is_sound: !problems.any(|problem| problem.is_refused_by(document.edition())),
            description: description(document, placed, site),
            range: site.literal + placed.start,
        })
    });
    listed.collect()
}

/// The description beside the signature at `site`.
fn description(document: &Document, placed: &PlacedUnit, site: &Site) -> Option<String> {
    let mut sites = placed.unit.sites.iter();
    let described = sites.find(|it| it.role == Role::Description && it.name == site.name)?;
    let content = document.text().slice(described.content + placed.start);
    decode(described.fragment(&content))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::{host::HostKind, ide::Settings, model::render::prompt_entry};

    #[test]
    fn tools_and_agents_are_listed_with_their_descriptions() {
        let text = r#"
name: triage
description: |
  Sorts mail.
  By urgency.
signature: "(mail :string) -> {urgent :bool}"
prompt: "{{mail}}"
tools:
  search:
    signature: '(query :string) -> [{id :int}]'
    description: "Finds \"it\"."
  now: "() -> :datetime"
  broken: "(a :strng) -> :int"
"#;
        let document = Document::new(HostKind::Yaml, text, Settings::default());
        let mut table = String::new();
        for listed in listing(&document) {
            let name = listed.name.as_deref().unwrap_or("?");
            let description = listed.description.as_deref();
            let entry = prompt_entry(name, &listed.signature, description, document.edition());
            let literal = document.text().slice(listed.range);
            table.push_str(&format!("{literal} {}\n{entry}\n", listed.is_sound));
        }
        expect![[r#"
            "(mail :string) -> {urgent :bool}" true
            ?(mail :string) -> {urgent :bool}
              Sorts mail.
              By urgency.
            '(query :string) -> [{id :int}]' true
            search(query :string) -> [{id :int}]
              Finds "it".
            "() -> :datetime" true
            now() -> :datetime
            "(a :strng) -> :int" false
            broken(a :any) -> :int
        "#]]
        .assert_eq(&table);
    }
}
