//! What formats say beyond the model.

use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side};

impl Differ<'_> {
    /// Where nothing else differs: what both have of one format. What another format has to say of
    /// the same thing is not a difference.
    pub(super) fn compare_extras(&mut self) {
        let [a, b] = self.scenes;
        let mut all = vec![("the whole".to_owned(), [&a.extras, &b.extras])];
        let joints =
            self.scenes.map(|scene| scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints));
        let [of_a, of_b] =
            joints.map(|joints| joints.map(|joint| &joint.extras).collect::<Vec<_>>());
        for [x, y] in &self.joints.both {
            if let (Some(x_extras), Some(y_extras)) = (of_a.get(*x), of_b.get(*y)) {
                all.push((
                    format!("joint {}", self.joints.label(Side::A, *x)),
                    [x_extras, y_extras],
                ));
            }
        }
        for [x, y] in &self.clips.both {
            if let (Some(x_clip), Some(y_clip)) = (a.clips.get(*x), b.clips.get(*y)) {
                all.push((
                    format!("clip {}", self.clips.label(Side::A, *x)),
                    [&x_clip.extras, &y_clip.extras],
                ));
            }
        }
        for (of, [x, y]) in all {
            for format in x
                .iter()
                .filter(|(format, value)| y.get(*format).is_some_and(|other| other != *value))
                .map(|(format, _)| format)
            {
                self.push(Difference::Extras { of: of.clone(), format: format.clone() });
            }
        }
    }
}
