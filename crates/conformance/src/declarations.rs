//! Checks a format's declarations.

use std::collections::BTreeSet;
use std::fmt::Debug;

use anim_ir::format::FormatInfo;
use anim_ir::format::options::{OptionInfo, Options, Settings};

/// The options of a format and any problems found in them.
#[derive(Default)]
pub(crate) struct Declared {
    infos: Vec<&'static OptionInfo>,
    wrong: Vec<String>,
}

impl Declared {
    /// Adds the options of a type and checks them.
    pub(crate) fn with<T: Options + Debug>(mut self) -> Declared {
        let plain = format!("{:?}", T::default());
        for info in T::infos() {
            self.infos.push(info);
            let Some(default) = info.default else { continue };
            let mut settings = Settings::default();
            match settings.set(info, default) {
                Ok(()) if format!("{:?}", settings.apply::<T>()) == plain => {}
                Ok(()) => {
                    self.wrong.push(format!("{} = {default} is not the actual default", info.name))
                }
                Err(error) => self.wrong.push(error.to_string()),
            }
        }
        self
    }

    /// Returns the problems in a format's declarations.
    pub(crate) fn problems(self, format: &FormatInfo) -> Vec<String> {
        let Declared { infos, mut wrong } = self;
        for info in &infos {
            let is_known = |name: &str| infos.iter().any(|info| info.name == name);
            let mut same = infos.iter().filter(|other| other.name == info.name);
            let mut others = info.requires.into_iter().chain(info.conflicts);
            let is_well = is_name(info.name)
                && info.help.starts_with(|first: char| first.is_uppercase())
                && !info.help.ends_with('.')
                && others.all(is_known)
                && same.all(|other| (other.kind, other.help) == (info.kind, info.help));
            if !is_well {
                wrong.push(format!("{info:?}"));
            }
        }
        let mut ids = BTreeSet::new();
        for code in format.codes {
            if !is_name(code.id) || !ids.insert(code.id) {
                wrong.push(format!("{code:?}"));
            }
        }
        let names = format.extensions.iter().chain([&format.id]);
        wrong.extend(names.filter(|name| !is_name(name)).map(|name| (*name).to_owned()));
        wrong
    }
}

/// Returns whether a name consists of lower-case letters, digits and hyphens.
fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.bytes().all(is_part)
}
