//! Clips that play at once: `convert --combine` and several `--clip` of `sample`.

use anim_formats::anim_ir::diag::quote;
use anim_formats::anim_ir::{Budget, ClipId, Limits, Scene};

use crate::clips::pick;
use crate::failure::Failure;

/// A clip to make of others, given as `NAME=CLIP+CLIP…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The name of the clip.
    pub name: String,
    /// The clips that it plays.
    pub clips: Vec<String>,
}

impl Combination {
    /// Parses an argument.
    ///
    /// # Errors
    ///
    /// Returns what is expected if the argument has another form.
    pub fn parse(argument: &str) -> Result<Combination, String> {
        let parsed = argument.split_once('=').map(|(name, clips)| Combination {
            name: name.to_owned(),
            clips: clips.split('+').map(str::to_owned).collect(),
        });
        parsed
            .filter(|found| !found.name.is_empty() && found.clips.len() > 1)
            .ok_or_else(|| "expected NAME=CLIP+CLIP, e.g. both=Legs/walk+Arm/wave".to_owned())
    }

    /// Returns the budget for adding clips to a scene. What is written afterwards takes as much
    /// memory again.
    pub fn budget(limits: &Limits, scene: &Scene) -> Budget {
        Budget::for_scene(limits, scene).half()
    }

    /// Adds the clip to a scene.
    ///
    /// # Errors
    ///
    /// Returns a [`Failure`] if there are no such clips or a clip has the name already, or if the
    /// [budget](Self::budget) is exceeded.
    pub fn add_to(&self, scene: &mut Scene, budget: &Budget) -> Result<ClipId, Failure> {
        let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
        if names.contains(&self.name.as_str()) {
            let name = quote(self.name.as_bytes());
            return Err(Failure::usage(format!(
                "there is already a clip {name}; choose another name"
            )));
        }
        let ids = self.clips.iter().map(|name| pick("clip", &names, Some(name)).map(ClipId::new));
        let ids: Vec<ClipId> = ids.collect::<Result<_, _>>()?;
        scene
            .combine(&self.name, &ids, budget)
            .map_err(|error| Failure::file(format!("cannot combine clips: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        let parsed = Combination::parse("both=Legs/walk+#2");
        let clips = vec!["Legs/walk".to_owned(), "#2".to_owned()];
        assert_eq!(parsed, Ok(Combination { name: "both".to_owned(), clips }));
        for wrong in ["both", "=a+b", "both=a", ""] {
            assert!(Combination::parse(wrong).is_err(), "{wrong}");
        }
    }
}
