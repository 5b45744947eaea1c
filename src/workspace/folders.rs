//! The settings of folders, which apply to the files below them.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use foldhash::HashMap;

use super::{
    Config,
    files::absolute,
    settings_file::Mistake,
    stamp::{Stamp, stamp},
};
use crate::files::{is_repository, read_found};
use signature_ls_analysis::{
    ide::Settings,
    model::{Edition, mix},
};
use signature_ls_source::host::HostKind;

/// The name of a project's settings file.
pub const SETTINGS_FILE: &str = "signature-ls.toml";

/// The files that affect the settings of a document.
pub const SETTINGS_FILES: [&str; 3] = [SETTINGS_FILE, "mix.lock", "mix.exs"];

/// The settings of a document, and the errors in those of its project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResolvedSettings {
    /// The settings, without invalid ones.
    pub settings: Settings,
    /// Sentences for the user, with the path of the file.
    pub problems: Vec<String>,
}

/// What is known about folders.
#[derive(Debug, Default)]
pub(super) struct Folders {
    by_path: HashMap<PathBuf, Folder>,
    /// The folders that are roots of repositories.
    repositories: HashMap<PathBuf, bool>,
    /// The folders that are open in an editor.
    open: Vec<PathBuf>,
    /// The number of the folder and of the repository to look at next.
    turns: [usize; 2],
}

/// What the files in one folder contain.
#[derive(Debug)]
struct Folder {
    stamps: [Option<Stamp>; SETTINGS_FILES.len()],
    /// The project of the library and its stamp, if that tells the edition.
    library: Option<(PathBuf, Option<Stamp>)>,
    config: Option<Result<Arc<Config>, Problem>>,
    /// The edition of the project with its root here.
    edition: Option<Edition>,
    /// Whether the library is among its dependencies.
    depends: bool,
}

/// What is wrong with a settings file.
#[derive(Debug)]
struct Problem {
    sentences: Vec<String>,
    /// Whether it could be parsed, so that it overrides those of the folders around.
    is_read: bool,
}

impl Folders {
    /// The settings of the document at `path`: those of the nearest settings file, else the edition of the release in
    /// the nearest `mix.lock` or `mix.exs`, else the defaults.
    pub(super) fn settings_for(&mut self, path: &Path) -> ResolvedSettings {
        let path = absolute(path);
        let mut found = ResolvedSettings::default();
        let (mut config, mut edition) = (None, None);
        let mut is_known = false;
        let mut is_ours = HostKind::is_named_as_ours(&path);
        for path in self.around(&path) {
            let folder = self.folder(path);
            edition = edition.or(folder.edition);
            is_ours |= folder.depends || matches!(folder.config, Some(Ok(_)));
            match &folder.config {
                Some(Ok(nearest)) if !is_known => {
                    config = Some(Arc::clone(nearest));
                    is_known = true;
                }
                Some(Err(problem)) if !is_known => {
                    if found.problems.is_empty() {
                        found.problems.clone_from(&problem.sentences);
                    }
                    is_known = problem.is_read;
                }
                Some(_) | None => {}
            }
        }
        found.settings.edition = edition.unwrap_or(found.settings.edition);
        if let Some(config) = config {
            found.settings = config.apply(&found.settings);
        }
        found.settings.is_ours = is_ours;
        found
    }

    /// The outermost folder around `path` with a `mix.exs`, so that the apps of an umbrella are one project.
    pub(super) fn root_of(&mut self, path: &Path) -> Option<PathBuf> {
        let folders = self.around(path).into_iter();
        let roots = folders.filter(|it| self.folder(it).is_project());
        roots.last().map(Path::to_owned)
    }

    /// Whether a project begins at `folder`.
    pub(super) fn is_root(&mut self, folder: &Path) -> bool {
        let root = self.root_of(&folder.join("mix.exs"));
        root.is_some_and(|it| it == folder)
    }

    /// Sets the folders that are open in an editor.
    pub(super) fn set_open(&mut self, folders: Vec<PathBuf>) {
        self.open = folders;
    }

    /// The folders around `path` with possible settings, nearest first: those of its repository, else those of the
    /// outermost open folder, else all.
    fn around<'p>(&mut self, path: &'p Path) -> Vec<&'p Path> {
        let mut around: Vec<_> = path.ancestors().skip(1).collect();
        let repository = around.iter().position(|it| self.is_repository(it));
        let is_open = |it: &&Path| self.open.iter().any(|open| open == it);
        if let Some(last) = repository.or_else(|| around.iter().rposition(is_open)) {
            around.truncate(last + 1);
        }
        around
    }

    fn is_repository(&mut self, path: &Path) -> bool {
        if let Some(known) = self.repositories.get(path) {
            return *known;
        }
        let is_repository = is_repository(path);
        self.repositories.insert(path.to_owned(), is_repository);
        is_repository
    }

    /// Whether there may be settings in the folder at `path`, or were.
    pub(super) fn knows(&self, path: &Path) -> bool {
        self.by_path.contains_key(path)
    }

    fn folder(&mut self, path: &Path) -> &Folder {
        if !self.by_path.contains_key(path) {
            self.by_path.insert(path.to_owned(), Folder::read(path));
        }
        &self.by_path[path]
    }

    /// Reads the changed files again in at most `most` folders, which are other ones each time; returns whether there
    /// are any.
    pub(super) fn look_again(&mut self, most: usize) -> bool {
        let mut differs = false;
        let [folders, repositories] = &mut self.turns;
        let first = in_turn(folders, self.by_path.len(), most);
        for (path, folder) in self.by_path.iter_mut().skip(first).take(most) {
            if folder.is_changed(path) {
                *folder = Folder::read(path);
                differs = true;
            }
        }
        let first = in_turn(repositories, self.repositories.len(), most);
        for (path, known) in self.repositories.iter_mut().skip(first).take(most) {
            let is_repository = is_repository(path);
            differs |= is_repository != *known;
            *known = is_repository;
        }
        differs
    }

    /// Clears everything.
    pub(super) fn forget(&mut self) {
        self.by_path.clear();
        self.repositories.clear();
    }
}

/// The first of the next `most` of so many folders; those before it are not looked at.
fn in_turn(turn: &mut usize, len: usize, most: usize) -> usize {
    let is_within = most < len && *turn < len;
    let first = if is_within { *turn } else { 0 };
    *turn = first.saturating_add(most);
    first
}

impl Folder {
    fn is_project(&self) -> bool {
        let [_, _, project] = &self.stamps;
        project.is_some()
    }

    fn is_changed(&self, path: &Path) -> bool {
        let is_other = |(file, known): &(PathBuf, _)| stamp(file) != *known;
        self.stamps != stamps(path) || self.library.as_ref().is_some_and(is_other)
    }

    fn read(path: &Path) -> Self {
        // A file that changes while it is read is read again the next time.
        let stamps = stamps(path);
        let [_, lock, project] = &stamps;
        let text = |stamp: &Option<Stamp>, name: &str| {
            stamp.and_then(|_| read_found(&path.join(name)).ok())
        };
        let of_lock = text(lock, "mix.lock").and_then(|text| mix::edition_of_lock(&text));
        let project = text(project, "mix.exs").unwrap_or_default();
        // The version of a path dependency is that in its folder, whatever requirement is beside the path.
        let library = match of_lock {
            Some(_) => None,
            None => mix::folder_of_dependency(&project),
        };
        let library = library.map(|folder| {
            let file = path.join(folder).join("mix.exs");
            let stamp = stamp(&file);
            (file, stamp)
        });
        let of_path = || {
            let (file, _) = library.as_ref()?;
            mix::edition_of_project(&read_found(file).ok()?)
        };
        let of_project = || mix::edition_of_project(&project);
        let edition = of_lock.or_else(of_path).or_else(of_project);
        Self {
            stamps,
            config: read_config(&path.join(SETTINGS_FILE)),
            depends: edition.is_some() || mix::depends(&project),
            edition,
            library,
        }
    }
}

fn stamps(folder: &Path) -> [Option<Stamp>; SETTINGS_FILES.len()] {
    SETTINGS_FILES.map(|name| stamp(&folder.join(name)))
}

/// Reads a valid settings file; `None` if there is none.
fn read_config(file: &Path) -> Option<Result<Arc<Config>, Problem>> {
    let text = match read_found(file) {
        Ok(text) => text,
        Err(error) if error.is_not_found() => return None,
        Err(error) => {
            return Some(Err(Problem {
                sentences: vec![format!("{}: {error}", file.display())],
                is_read: false,
            }));
        }
    };
    let sentence = |mistake: &Mistake| {
        let (line, column) = mistake.place_in(&text);
        format!("{}:{line}:{column}: {}", file.display(), mistake.message)
    };
    let config = Config::from_toml(&text).map_err(|mistakes| Problem {
        sentences: mistakes.iter().map(sentence).collect(),
        is_read: true,
    });
    Some(config.map(Arc::new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::testing::Scratch;
    use signature_ls_analysis::ide::Level;

    #[test]
    fn the_nearest_file_that_says_something_counts() {
        let scratch = Scratch::new("nearest");
        let document = scratch.path("apps/one/lib/agent.ex");
        let mut folders = Folders::default();
        assert_eq!(folders.settings_for(&document), ResolvedSettings::default());
        let program = scratch.path("apps/one/lib/program.ptc");
        assert!(folders.settings_for(&program).settings.is_ours);

        scratch.write(
            "mix.lock",
            r#"%{"ptc_runner": {:hex, :ptc_runner, "0.10.1", "aa", [:mix], [], "hexpm", "bb"}}"#,
        );
        scratch.write("apps/one/mix.exs", "[{:jason, \"~> 1.4\"}]");
        assert!(folders.look_again(usize::MAX));
        assert!(!folders.look_again(usize::MAX));
        let edition = folders.settings_for(&document).settings.edition;
        assert_eq!(edition, Edition::V0_5);
        assert!(folders.settings_for(&document).settings.is_ours);

        scratch.write("apps/one/mix.exs", "[{:ptc_runner, \"~> 0.4.0\"}]");
        assert!(folders.look_again(usize::MAX));
        let edition = folders.settings_for(&document).settings.edition;
        assert_eq!(edition, Edition::V0_4);

        scratch.write(
            SETTINGS_FILE,
            "edition = \"next\"\n[rules]\nhyphen-in-name = \"off\"\n",
        );
        assert!(folders.look_again(usize::MAX));
        let settings = folders.settings_for(&document).settings;
        assert_eq!(
            (settings.edition, settings.levels["hyphen-in-name"]),
            (Edition::Next, Level::Off)
        );
    }

    /// A request does not wait for all folders of a large workspace.
    #[test]
    fn many_folders_are_looked_at_in_turn() {
        let scratch = Scratch::new("in-turn");
        let paths: Vec<_> = (0..20).map(|it| format!("a{it}")).collect();
        let mut folders = Folders::default();
        for path in &paths {
            folders.settings_for(&scratch.path(&format!("{path}/a.ex")));
        }
        for path in &paths {
            scratch.write(&format!("{path}/{SETTINGS_FILE}"), "edition = \"next\"");
        }
        let mut changed = || {
            let documents = paths.iter().map(|it| scratch.path(&format!("{it}/a.ex")));
            let found = documents.map(|it| folders.settings_for(&it).settings.edition);
            let changed = found.filter(|it| *it == Edition::Next).count();
            folders.look_again(4);
            changed
        };
        let counts: Vec<_> = std::iter::repeat_with(&mut changed).take(32).collect();
        let steps = counts.windows(2).map(|it| it[1] - it[0]);
        assert!(steps.max() <= Some(4), "{counts:?}");
        assert_eq!(counts.last(), Some(&20));

        // Whoever looks at all of them begins at the first one, whichever is next.
        for path in &paths {
            scratch.write(&format!("{path}/{SETTINGS_FILE}"), "edition = \"0.5\"");
        }
        folders.look_again(4);
        folders.look_again(usize::MAX);
        assert!(!folders.look_again(usize::MAX));
    }

    #[test]
    fn the_folder_of_a_path_dependency_tells_the_edition() {
        let scratch = Scratch::new("path-dependency");
        scratch.write("library/mix.exs", "[app: :ptc_runner, version: \"0.4.1\"]");
        for requirement in ["", "\"~> 0.4\", ", "\">= 0.0.0\", "] {
            let dependency = format!("[{{:ptc_runner, {requirement}path: \"../library\"}}]");
            scratch.write("mine/mix.exs", &dependency);
            let found = Folders::default().settings_for(&scratch.path("mine/lib/agent.ex"));
            assert_eq!(found.settings.edition, Edition::V0_4, "{dependency}");
        }
        let document = scratch.path("mine/lib/agent.ex");
        let mut folders = Folders::default();
        folders.settings_for(&document);
        assert!(!folders.look_again(usize::MAX));
        scratch.write("library/mix.exs", "[app: :ptc_runner, version: \"0.10.1\"]");
        assert!(folders.look_again(usize::MAX));
        let edition = folders.settings_for(&document).settings.edition;
        assert_eq!(edition, Edition::V0_5);
    }

    #[test]
    fn nothing_counts_outside_the_repository_or_the_open_folders() {
        let scratch = Scratch::new("around");
        for (folder, edition) in [("", "0.4"), ("outer", "0.5"), ("outer/repository", "next")] {
            let path = format!("{folder}/{SETTINGS_FILE}");
            scratch.write(
                path.trim_start_matches('/'),
                &format!("edition = \"{edition}\""),
            );
        }
        scratch.write("mix.exs", "");
        let inner = scratch.path("outer/repository/lib/inner");
        let document = inner.join("a.ex");
        let mut folders = Folders::default();
        let check = |folders: &mut Folders, edition, root: Option<&str>| {
            folders.look_again(usize::MAX);
            assert_eq!(folders.settings_for(&document).settings.edition, edition);
            assert_eq!(folders.root_of(&document), root.map(|it| scratch.path(it)));
        };
        check(&mut folders, Edition::Next, Some(""));
        std::fs::remove_file(scratch.path("outer/repository").join(SETTINGS_FILE)).unwrap();
        check(&mut folders, Edition::V0_5, Some(""));
        // One open folder inside another: the outer one counts.
        folders.set_open(vec![inner, scratch.path("outer")]);
        check(&mut folders, Edition::V0_5, None);
        scratch.write("outer/repository/.git/HEAD", "");
        scratch.write("outer/repository/mix.exs", "");
        let default = Settings::default().edition;
        check(&mut folders, default, Some("outer/repository"));
    }

    #[test]
    fn a_wrong_settings_file_is_reported_and_left_out() {
        for (name, text) in [
            ("syntax", "edition = "),
            ("value", "edition = \"0.6\""),
            ("key", "editon = \"0.5\""),
            ("two", "editon = \"0.5\"\n[format]\nlines = 3"),
        ] {
            let scratch = Scratch::new(name);
            scratch.write(SETTINGS_FILE, text);
            let path = scratch.path(SETTINGS_FILE).display().to_string();
            let found = Folders::default().settings_for(&scratch.path("a.ex"));
            assert_eq!(found.settings, Settings::default());
            assert!(!found.problems.is_empty(), "{text}");
            for problem in found.problems {
                assert!(problem.starts_with(&format!("{path}:")), "{problem}");
            }
        }
    }
}
