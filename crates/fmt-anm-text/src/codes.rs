//! Every kind of problem that this crate reports: what it means, an example, and what the reader,
//! the binding or the writer does.

anim_ir::codes! {
    BOM = "anm-text-bom", Warning, Syntax,
        "The file begins with a byte order mark, which other readers may take for part of the \
         first keyword.",
        "It is kept and has no effect.";
    ENCODING = "anm-text-encoding", Warning, Syntax,
        "The file is not UTF-8.",
        "Names are read as Latin-1; the bytes are kept.";
    LINE_END = "anm-text-line-end", Warning, Syntax,
        "A line ends with a lone carriage return. This is reported once.",
        "It counts as a line ending.";
    INDENT = "anm-text-indent", Warning, Syntax,
        "There is whitespace before a keyword.",
        "  as Head",
        "The whitespace is skipped.";
    KEYWORD = "anm-text-keyword", Error, Syntax,
        "The first word of a line is none of `as`, `bl`, `ev` and `an`. Case matters.",
        "event 5 step",
        "The line is left out; before the first set, all lines up to the next `as`.";
    ORDER = "anm-text-order", Error, Syntax,
        "A line is not where it must be: in each set come the `bl` lines, then the `ev` lines, \
         then the `an` lines.",
        "an 0 50 walk",
        "The line is left out; before the first set, all lines up to the next `as`.";
    INCOMPLETE = "anm-text-incomplete", Error, Syntax,
        "A set has no `bl` line or no `an` line.",
        "as Head\nan 0 50 nod",
        "The set is kept as it is.";
    MISSING = "anm-text-missing", Error, Syntax,
        "A line has too few words.",
        "ev 5",
        "The line is left out; after an `as` without a name, all lines up to the next `as` are.";
    EXTRA = "anm-text-extra", Error, Syntax,
        "A line has too many words: names have no spaces, and comments are lines of their own.",
        "an 0 50 Hello # greeting",
        "The extra words are left out.";
    OPTION = "anm-text-option", Error, Syntax,
        "An option of a `bl` line is none of `+children` and `+parent`.",
        "bl neck +kids",
        "The bone is used without it.";
    OPTION_SPELLING = "anm-text-option-spelling", Error, Syntax,
        "The option is spelt `+chidren`, as in one place of the specification.",
        "bl neck +chidren",
        "It is read as `+children`.";
    OPTION_REPEATED = "anm-text-option-repeated", Error, Syntax,
        "A `bl` line has the same option twice.",
        "bl neck +parent +parent",
        "It counts once.";
    TIME = "anm-text-time", Error, Syntax,
        "A time is not a number. Times are in frames, with a decimal point and without a unit.",
        "ev 5s step",
        "The line is left out.";
    TIME_NOT_FINITE = "anm-text-time-not-finite", Error, Value,
        "A time is NaN, infinite, or too large for a 32-bit float.",
        "ev 1e999 step",
        "The line is left out.";
    TIME_NEGATIVE = "anm-text-time-negative", Warning, Value,
        "A time is negative. Models rarely have keys before frame 0.",
        "ev -5 step",
        "It is kept.";
    RANGE = "anm-text-range", Error, Value,
        "An animation ends before it starts.",
        "an 50 0 Hello",
        "The line is left out.";
    NUL = "anm-text-nul", Error, Syntax,
        "A name contains a NUL.",
        "The line is left out; if it is an `as`, so are all lines up to the next one.";
    CONTROL = "anm-text-control", Warning, Syntax,
        "A name contains a control character.",
        "The name is kept.";
    NAME_LENGTH = "anm-text-name-length", Error, Limit,
        "A name is longer than the limit.",
        "The line is left out; if it is an `as`, so are all lines up to the next one.";
    SET_DUPLICATE = "anm-text-set-duplicate", Warning, Reference,
        "Two sets have the same name.",
        "as Head",
        "Both are kept.";
    CLIP_DUPLICATE = "anm-text-clip-duplicate", Warning, Reference,
        "Two animations of a set have the same name.",
        "an 0 50 walk\nan 60 80 walk",
        "Both are kept.";
    EVENT_OUTSIDE = "anm-text-event-outside", Warning, Reference,
        "An event is outside the range of every animation of its set.",
        "ev 500 step",
        "It is kept, but no animation fires it.";

    BONE_UNKNOWN = "anm-text-bone-unknown", Error, Reference,
        "The model has no bone with that name.",
        "bl Neck",
        "The line is ignored.";
    BONE_AMBIGUOUS = "anm-text-bone-ambiguous", Warning, Reference,
        "The model has several bones with that name.",
        "The first one is used.";
    PARENT_OF_ROOT = "anm-text-parent-of-root", Warning, Reference,
        "A bone with `+parent` has no parent.",
        "bl hips +parent",
        "The bone is used without it.";
    NOTHING_FOUND = "anm-text-nothing-found", Warning, Reference,
        "The model's timeline has no key of the set's bones and no event in the range of an \
         animation, so that it has neither start nor end.",
        "an 500 600 walk",
        "The animation is left out.";
    NO_MODEL = "anm-text-no-model", Note, Loss,
        "The file names bones and times of a model, and no model was given.",
        "The animations are empty ranges, and bones are only names.";

    LOSS_MOTION = "anm-text-loss-motion", Note, Loss,
        "The format cuts a timeline into animations: the keys themselves, the skeleton and the \
         model are in a file of their own.",
        "They are left out.";
    LOSS_TIMELINE = "anm-text-loss-timeline", Warning, Loss,
        "The format knows one timeline of one skeleton. An animation has a timeline of its own, \
         whose times may be those of another animation too, or it moves another skeleton than the \
         first animation.",
        "It is written with its own times; one that moves another skeleton is left out.";
    LOSS_RANGE = "anm-text-loss-range", Warning, Loss,
        "An animation starts or ends where none of its bones has a key and no event is. A reader \
         lets it start with the first key or event.",
        "It is written, and reads back shorter.";
    LOSS_BONES = "anm-text-loss-bones", Warning, Loss,
        "An animation moves no bone, or none with a unique name.",
        "Without bones it is left out; of bones with the same name, the first is used.";
    LOSS_NAME = "anm-text-loss-name", Warning, Loss,
        "The format cannot hold a name.",
        "Characters of it are replaced.";
    LOSS_WRAP = "anm-text-loss-wrap", Note, Loss,
        "The format has no wrap modes.",
        "The wrap mode is left out.";
    LOSS_EVENT = "anm-text-loss-event", Warning, Loss,
        "An event is in none of the written animations, or has more than a name.",
        "What the format cannot hold is left out.";
    LOSS_MACHINE = "anm-text-loss-machine", Note, Loss,
        "The format has no states or transitions.",
        "They are left out.";
}
