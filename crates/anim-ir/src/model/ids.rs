//! Typed indices, which prevent mixing up different kinds of items.

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident,)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(usize);

        impl $id {
            /// Returns the id of the item at this zero-based index.
            #[inline]
            pub const fn new(index: usize) -> $id {
                $id(index)
            }

            /// Returns the zero-based index of the item.
            #[inline]
            pub const fn index(self) -> usize {
                self.0
            }
        }

        impl std::fmt::Display for $id {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    /// A skeleton of a scene.
    SkeletonId,
    /// A joint of a skeleton.
    JointId,
    /// A timeline of a scene.
    TimelineId,
    /// A clip of a scene.
    ClipId,
    /// A mesh of a scene.
    MeshId,
    /// A skin of a scene.
    SkinId,
    /// A node of a scene.
    NodeId,
    /// A camera of a scene.
    CameraId,
    /// A material of a scene.
    MaterialId,
    /// An image of a scene.
    ImageId,
    /// A state machine of a scene.
    MachineId,
    /// A state of a state machine.
    StateId,
}

/// A joint of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointRef {
    /// The skeleton.
    pub skeleton: SkeletonId,
    /// The joint in the skeleton.
    pub joint: JointId,
}

/// Generates access by id to the items of vectors: a getter, a mutable getter, a method that adds
/// an item, an iterator with ids and, for named items, a method that finds an item by name.
macro_rules! items {
    ($owner:ident {$(
        $what:literal, $field:ident: $item:ident as $id:ident =>
        $get:ident, $get_mut:ident, $add:ident, $enumerate:ident $(, $find:ident)?;
    )+}) => {
        impl $owner {$(
            #[doc = concat!("Returns the ", $what, " with this id.")]
            #[inline]
            pub fn $get(&self, id: $id) -> Option<&$item> {
                self.$field.get(id.index())
            }

            #[doc = concat!("Returns a mutable reference to the ", $what, " with this id.")]
            #[inline]
            pub fn $get_mut(&mut self, id: $id) -> Option<&mut $item> {
                self.$field.get_mut(id.index())
            }

            #[doc = concat!("Appends this ", $what, " and returns its id.")]
            pub fn $add(&mut self, item: $item) -> $id {
                self.$field.push(item);
                $id::new(self.$field.len().saturating_sub(1))
            }

            #[doc = concat!("Iterates in order over each ", $what, " with its id.")]
            pub fn $enumerate(
                &self,
            ) -> impl DoubleEndedIterator<Item = ($id, &$item)> + ExactSizeIterator + Clone {
                self.$field.iter().enumerate().map(|(index, item)| ($id::new(index), item))
            }

            $(
                #[doc = concat!("Finds the first ", $what, " with this name.")]
                pub fn $find(&self, name: &str) -> Option<$id> {
                    self.$field.iter().position(|item| item.name == name).map($id::new)
                }
            )?
        )+}
    };
}

pub(crate) use items;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_displayed_as_their_index() {
        assert_eq!(format!("{} {:>3}", JointId::new(7), ClipId::default()), "7   0");
        assert!(StateId::new(1) < StateId::new(2));
    }
}
