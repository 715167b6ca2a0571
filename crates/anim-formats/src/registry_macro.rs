//! The macro that generates code from the lines of the registry.

/// Generates [`AnyDocument`](crate::AnyDocument) from the readable formats, and the table of
/// entries from all formats.
macro_rules! formats {
    (@divide [$($read:tt)*] [$($all:tt)*]
        read write $feature:literal $name:ident $format:ty; $($rest:tt)*) => {
        formats!(@divide
            [$($read)* ($feature $name $format)]
            [$($all)*
                ($feature (formats!(@reading $name $format)) (formats!(@writing $format)) $format)]
            $($rest)*);
    };
    (@divide [$($read:tt)*] [$($all:tt)*]
        read $feature:literal $name:ident $format:ty; $($rest:tt)*) => {
        formats!(@divide
            [$($read)* ($feature $name $format)]
            [$($all)* ($feature (formats!(@reading $name $format)) (None) $format)]
            $($rest)*);
    };
    (@divide [$($read:tt)*] [$($all:tt)*]
        write $feature:literal $name:ident $format:ty; $($rest:tt)*) => {
        formats!(@divide
            [$($read)*]
            [$($all)* ($feature (None) (formats!(@writing $format)) $format)]
            $($rest)*);
    };
    (@divide [$($read:tt)*] [$($all:tt)*]) => {
        formats!(@entries $($all)*);
        formats!(@documents $($read)*);
    };

    (@reading $name:ident $format:ty) => {
        Some(Reading {
            sniff: <$format as Read>::sniff,
            parse: {
                fn parse<'a>(
                    source: Cow<'a, [u8]>,
                    settings: &Settings,
                ) -> Result<Parsed<AnyDocument<'a>>, ParseError> {
                    let parsed = <$format as Read>::parse(source, &settings.apply())?;
                    Ok(parsed.map(AnyDocument::$name))
                }
                parse
            },
            #[cfg(feature = "load")]
            scene_in_blocks: |file, length, context| {
                let settings = context.settings;
                let options = (&settings.apply(), &settings.apply());
                <$format as Read>::scene_in_blocks(file, length, options, context)
            },
            reach: <$format as Read>::reach,
            parsing_options: || <$format as Read>::ParseOptions::infos().collect(),
            options: || <$format as Read>::ToIr::infos().collect(),
        })
    };
    (@writing $format:ty) => {
        Some(Writing {
            extensions: <$format as Write>::EXTENSIONS,
            holds_one_clip: <$format as Write>::HOLDS_ONE_CLIP,
            takes_any_scene: <$format as Write>::TAKES_ANY_SCENE,
            holds_ping_pong: <$format as Write>::HOLDS_PING_PONG,
            needs_states: <$format as Write>::NEEDS_STATES,
            takes_images: <$format as Write>::TAKES_IMAGES,
            write: write::<$format>,
            options: || <$format as Write>::FromIr::infos().collect(),
        })
    };

    (@entries $(($feature:literal ($($reading:tt)*) ($($writing:tt)*) $format:ty))*) => {
        $(
            #[cfg(feature = $feature)]
            impl Registered for $format {
                const ENTRY: Entry = Entry {
                    info: <$format as anim_ir::format::Format>::INFO,
                    family: $feature,
                    read: $($reading)*,
                    write: $($writing)*,
                };
            }
        )*

        static ENTRIES: &[Entry] = &[$(
            #[cfg(feature = $feature)]
            <$format as Registered>::ENTRY,
        )*];
    };

    (@documents $(($feature:literal $name:ident $format:ty))*) => {
        /// A document in any format: the content of a file, in the file's own terms.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "documents are not stored in lists")]
        pub enum AnyDocument<'a> {
            $(
                #[cfg(feature = $feature)]
                #[doc = concat!("A document in the format `", stringify!($format), "`.")]
                $name(<$format as Read>::Document<'a>),
            )*
            /// An empty file; uses the lifetime in builds without formats.
            #[doc(hidden)]
            Empty(std::marker::PhantomData<&'a ()>),
        }

        impl<'a> AnyDocument<'a> {
            /// Reads a file in a known format.
            ///
            /// # Errors
            ///
            /// Returns a [`ParseError`] if the file cannot be read at all, or the format is
            /// write-only.
            pub fn parse(
                source: impl Into<Cow<'a, [u8]>>,
                format: Format,
                settings: &Settings,
            ) -> Result<Parsed<AnyDocument<'a>>, ParseError> {
                match &format.0.read {
                    Some(read) => (read.parse)(source.into(), settings),
                    None => Err(ParseError::unsupported(format.title())),
                }
            }

            /// Its format.
            pub fn format(&self) -> Format {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        AnyDocument::$name(_) => Format(&<$format as Registered>::ENTRY),
                    )*
                    AnyDocument::Empty(_) => Format(&EMPTY),
                }
            }

            /// Converts the document to one that owns its bytes.
            pub fn into_owned(self) -> AnyDocument<'static> {
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        AnyDocument::$name(document) => {
                            AnyDocument::$name(<$format as Read>::into_owned(document))
                        }
                    )*
                    AnyDocument::Empty(_) => AnyDocument::Empty(std::marker::PhantomData),
                }
            }

            /// Converts the document to a scene using only its own format, without joins.
            pub(crate) fn own_scene(&self, context: &mut Context<'_>) -> Converted<Scene> {
                // Unused in builds without formats.
                let _ = &context;
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        AnyDocument::$name(document) => {
                            let options = context.settings.apply();
                            <$format as Read>::to_ir(document, &options, context)
                        }
                    )*
                    AnyDocument::Empty(_) => Converted::lossless(Scene::default()),
                }
            }

            /// Writes the document in its own format without going through a scene, if the format
            /// supports that.
            pub(crate) fn own_rewrite(
                &self,
                request: &Rewrite<'_>,
                context: &mut Context<'_>,
            ) -> Option<Written> {
                // Unused in builds without formats.
                let _ = (request, &context);
                match self {
                    $(
                        #[cfg(feature = $feature)]
                        AnyDocument::$name(document) => {
                            <$format as Read>::rewrite(document, request, context)
                        }
                    )*
                    AnyDocument::Empty(_) => None,
                }
            }

            formats!(@forward [$(($feature $name))*]
                /// Returns the file as read, with any edits applied.
                to_bytes() -> Cow<'_, [u8]>;
                /// Returns the file as shown to users: the decoded text in UTF-8 if it is
                /// compressed or in another encoding, otherwise its bytes.
                text() -> Cow<'_, [u8]>;
                /// Converts a diagnostic's span to a span of [`AnyDocument::text`].
                text_span(span: anim_ir::Span) -> anim_ir::Span;
                /// Returns the file in canonical form, with the same content and all comments.
                /// `None` for formats without a canonical form.
                formatted() -> Option<Vec<u8>>;
                /// Returns the file's dialect, if the format has dialects.
                dialect() -> Option<&'static str>;
                /// Returns facts about the file that are not in its scene, for display.
                facts(all: bool) -> Vec<anim_ir::format::Fact>;
                /// Returns the number of frame intervals and the frame rate that the file states,
                /// for formats with frames.
                stated_rate() -> Option<(usize, f64)>;
                /// Returns whether the file has a single clip that it does not name, so that the
                /// scene's clip is named after the file.
                is_named_after_file() -> bool;
                /// Returns diagnostics from checks that are slower than reading the file.
                inspect() -> anim_ir::Diagnostics;
                /// Returns whether the known readers of the format accept this file, if they
                /// differ.
                verdicts(diagnostics: &anim_ir::Diagnostics)
                    -> Vec<anim_ir::format::Verdict>;
            );
        }
    };
    (@forward $arms:tt) => {};
    (@forward [$(($feature:literal $name:ident))*]
        $(#[$doc:meta])* $method:ident() -> $result:ty; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(&self) -> $result {
            match self {
                $(
                    #[cfg(feature = $feature)]
                    AnyDocument::$name(document) => anim_ir::format::Document::$method(document),
                )*
                AnyDocument::Empty(_) => Default::default(),
            }
        }
        formats!(@forward [$(($feature $name))*] $($rest)*);
    };
    (@forward [$(($feature:literal $name:ident))*]
        $(#[$doc:meta])* $method:ident($argument:ident: $type:ty) -> $result:ty; $($rest:tt)*) => {
        $(#[$doc])*
        pub fn $method(&self, $argument: $type) -> $result {
            match self {
                $(
                    #[cfg(feature = $feature)]
                    AnyDocument::$name(document) => {
                        anim_ir::format::Document::$method(document, $argument)
                    }
                )*
                AnyDocument::Empty(_) => {
                    let _ = $argument;
                    Default::default()
                }
            }
        }
        formats!(@forward [$(($feature $name))*] $($rest)*);
    };

    // Must be last, since it matches anything.
    ($($line:tt)*) => { formats!(@divide [] [] $($line)*); };
}
