//! The diagnostic codes of this crate: the meaning of each, an example, and how the reader, the
//! binder or the writer handles it.

anim_ir::codes! {
    BOM = "anm-text-bom", Warning, Syntax,
        "The file starts with a byte order mark, which other readers may interpret as part of the \
         first keyword.",
        "The mark is kept and ignored. `animfmt check --fix` removes it.";
    ENCODING = "anm-text-encoding", Warning, Syntax,
        "The file is not valid UTF-8.",
        "Names are read as Latin-1; the bytes are kept.";
    LINE_END = "anm-text-line-end", Warning, Syntax,
        "A line ends with a lone carriage return. This is reported once.",
        "The carriage return is treated as a line ending.";
    INDENT = "anm-text-indent", Warning, Syntax,
        "A keyword is preceded by whitespace.",
        "  as Head",
        "The whitespace is ignored. `animfmt check --fix` repairs it.";
    KEYWORD = "anm-text-keyword", Error, Syntax,
        "The first word of a line is not `as`, `bl`, `ev` or `an`. Keywords are case-sensitive.",
        "event 5 step",
        "The line is skipped; before the first set, or if it must have been an `as`, all lines up \
         to the next `as` are skipped. Nothing is reported as missing from the set, since this \
         line may be the missing one. `animfmt check --fix` repairs it if the repair is certain.";
    ORDER = "anm-text-order", Error, Syntax,
        "A line is out of order. In each set, the `bl` lines come first, then the `ev` lines, then \
         the `an` lines.",
        "an 0 50 walk",
        "All out-of-order lines of the set are skipped; before the first set, all lines up to the \
         next `as` are skipped.";
    INCOMPLETE = "anm-text-incomplete", Error, Syntax,
        "A set has no `bl` line or no `an` line.",
        "as Head\nan 0 50 nod",
        "The set is kept. Without a `bl` line, its other lines are skipped.";
    MISSING = "anm-text-missing", Error, Syntax,
        "A line has too few fields.",
        "ev 5",
        "The line is skipped. If it is an `as` line, all lines up to the next `as` are skipped.";
    EXTRA = "anm-text-extra", Error, Syntax,
        "A line has too many fields. Names cannot contain spaces, and comments must be on a \
         separate line.",
        "an 0 50 Hello # greeting",
        "The extra fields are ignored. `animfmt check --fix` repairs it if the repair is certain.";
    OPTION = "anm-text-option", Error, Syntax,
        "An option of a `bl` line is not `+children` or `+parent`.",
        "bl neck +kids",
        "The option is ignored. `animfmt check --fix` repairs it if the repair is certain.";
    OPTION_SPELLING = "anm-text-option-spelling", Error, Syntax,
        "The option is spelt `+chidren`, as it is once in the specification.",
        "bl neck +chidren",
        "The option is read as `+children`. `animfmt check --fix` repairs it.";
    OPTION_REPEATED = "anm-text-option-repeated", Error, Syntax,
        "A `bl` line has the same option twice.",
        "bl neck +parent +parent",
        "The duplicate is ignored. `animfmt check --fix` repairs it.";
    TIME = "anm-text-time", Error, Syntax,
        "A time is not a number. Times are decimal numbers of frames, without a unit.",
        "ev 5s step",
        "The line is skipped.";
    TIME_NOT_FINITE = "anm-text-time-not-finite", Error, Value,
        "A time is NaN, infinite, or too large for a 32-bit float.",
        "ev 1e999 step",
        "The line is skipped.";
    TIME_NEGATIVE = "anm-text-time-negative", Warning, Value,
        "A time is negative. Models rarely have keys before frame 0.",
        "ev -5 step",
        "The time is kept.";
    RANGE = "anm-text-range", Error, Value,
        "An animation ends before it starts.",
        "an 50 0 Hello",
        "The line is skipped.";
    NUL = "anm-text-nul", Error, Syntax,
        "A name contains a NUL character.",
        "The line is skipped. If it is an `as` line, all lines up to the next `as` are skipped.";
    CONTROL = "anm-text-control", Warning, Syntax,
        "A name contains a control character.",
        "The name is kept.";
    NAME_LENGTH = "anm-text-name-length", Error, Limit,
        "A name is longer than the limit.",
        "The line is skipped. If it is an `as` line, all lines up to the next `as` are skipped.";
    SET_DUPLICATE = "anm-text-set-duplicate", Warning, Reference,
        "Two sets have the same name.",
        "as Head",
        "Both sets are kept.";
    CLIP_DUPLICATE = "anm-text-clip-duplicate", Warning, Reference,
        "Two animations of a set have the same name.",
        "an 0 50 walk\nan 60 80 walk",
        "Both animations are kept.";
    EVENT_OUTSIDE = "anm-text-event-outside", Warning, Reference,
        "An event is outside the range of every animation of its set.",
        "ev 500 step",
        "The event is kept, but no animation triggers it.";

    BONE_UNKNOWN = "anm-text-bone-unknown", Error, Reference,
        "The model has no bone with that name.",
        "bl Neck",
        "The line is ignored.";
    BONE_AMBIGUOUS = "anm-text-bone-ambiguous", Warning, Reference,
        "The model has several bones with that name.",
        "The first one is used.";
    PARENT_OF_ROOT = "anm-text-parent-of-root", Warning, Reference,
        "A bone with the option `+parent` has no parent.",
        "bl hips +parent",
        "The option is ignored.";
    NOTHING_FOUND = "anm-text-nothing-found", Warning, Reference,
        "In the range of an animation, the model's timeline has no events and no keys of the set's \
         bones. The animation therefore has no start or end.",
        "an 500 600 walk",
        "The animation is skipped.";
    BEYOND_TAKE = "anm-text-beyond-take", Warning, Reference,
        "The range of an animation ends more than one frame after the last key and event of the \
         model's timeline.",
        "an 500 600 walk",
        "The animation ends with the last key. If the file counts frames at a rate other than 24 \
         per second, set it with `--fps`.";
    NO_MODEL = "anm-text-no-model", Note, Loss,
        "The file refers to the bones and times of a model, but no model was given.",
        "The animations are ranges without keys, and the bones are only names.";

    LOSS_MOTION = "anm-text-loss-motion", Note, Loss,
        "The format only divides a timeline into animations. The keys, the skeleton and the model \
         are stored in a separate file.",
        "The keys, the skeleton and the model are not written. Convert to glTF to keep them.";
    LOSS_TIMELINE = "anm-text-loss-timeline", Warning, Loss,
        "The format supports one timeline of one skeleton. An animation has its own timeline, \
         whose times may overlap those of other animations, or it animates a different skeleton \
         than the first animation.",
        "The animation is written with its own times, or skipped if it animates a different \
         skeleton.";
    LOSS_RANGE = "anm-text-loss-range", Warning, Loss,
        "An animation starts or ends at a time without events or keys of its bones. Readers use \
         the first and last key or event in the range.",
        "The animation is written, but will be shorter when read back.";
    LOSS_BONES = "anm-text-loss-bones", Warning, Loss,
        "An animation moves no bones, or bones whose names are not unique.",
        "An animation without bones is skipped; of bones with the same name, the first is used.";
    LOSS_NAME = "anm-text-loss-name", Warning, Loss,
        "The format cannot represent a name.",
        "The invalid characters are replaced.";
    LOSS_WRAP = "anm-text-loss-wrap", Note, Loss,
        "The format has no wrap modes.",
        "The wrap mode is not written.";
    LOSS_EVENT = "anm-text-loss-event", Warning, Loss,
        "An event is outside all written animations, or has data in addition to its name.",
        "The event, or its data, is not written.";
    LOSS_MACHINE = "anm-text-loss-machine", Note, Loss,
        "The format has no states or transitions.",
        "States and transitions are not written.";
}
