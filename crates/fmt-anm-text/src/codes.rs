//! Every kind of problem this crate reports: what it means, how it looks, what the reader, the
//! binding or the writer does about it.

anim_ir::codes! {
    BOM = "anm-text-bom", Warning, Syntax,
        "The file begins with a byte order mark, which other readers may take for part of the \
         first keyword.",
        "It is kept and has no effect.";
    ENCODING = "anm-text-encoding", Warning, Syntax,
        "The file is not UTF-8.",
        "Names are read as Latin-1; the bytes are kept.";
    LINE_END = "anm-text-line-end", Warning, Syntax,
        "A line ends with a carriage return alone. It is said once.",
        "It is a line end.";
    INDENT = "anm-text-indent", Warning, Syntax,
        "There are blanks before a keyword.",
        "  as Head",
        "They are skipped.";
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
        "The line is left out; behind an `as` without a name all lines up to the next `as`.";
    EXTRA = "anm-text-extra", Error, Syntax,
        "A line has too many words: names have no blanks, and comments are lines of their own.",
        "an 0 50 Hello # greeting",
        "What is too much is left out.";
    OPTION = "anm-text-option", Error, Syntax,
        "An option of a `bl` line is none of `+children` and `+parent`.",
        "bl neck +kids",
        "The bone counts without it.";
    OPTION_SPELLING = "anm-text-option-spelling", Error, Syntax,
        "The option is spelt `+chidren`, as in one place of the specification.",
        "bl neck +chidren",
        "It counts as `+children`.";
    OPTION_REPEATED = "anm-text-option-repeated", Error, Syntax,
        "A `bl` line has the same option twice.",
        "bl neck +parent +parent",
        "It counts once.";
    TIME = "anm-text-time", Error, Syntax,
        "A time is no number. Times are frames, with a decimal point and without a unit.",
        "ev 5s step",
        "The line is left out.";
    TIME_NOT_FINITE = "anm-text-time-not-finite", Error, Value,
        "A time is NaN, infinite, or too great for 32 bits of floating point.",
        "ev 1e999 step",
        "The line is left out.";
    TIME_NEGATIVE = "anm-text-time-negative", Warning, Value,
        "A time is negative: models seldom have keys before frame 0.",
        "ev -5 step",
        "It is kept.";
    RANGE = "anm-text-range", Error, Value,
        "An animation ends before it starts.",
        "an 50 0 Hello",
        "The line is left out.";
    NUL = "anm-text-nul", Error, Syntax,
        "A name has a NUL in it.",
        "The line is left out; behind an `as` all lines up to the next `as`.";
    CONTROL = "anm-text-control", Warning, Syntax,
        "A name has a control character in it.",
        "The name is kept.";
    NAME_LENGTH = "anm-text-name-length", Error, Limit,
        "A name is longer than the limit.",
        "The line is left out; behind an `as` all lines up to the next `as`.";
    SET_DUPLICATE = "anm-text-set-duplicate", Warning, Reference,
        "Two sets have one name.",
        "as Head",
        "Both are kept.";
    CLIP_DUPLICATE = "anm-text-clip-duplicate", Warning, Reference,
        "Two animations of a set have one name.",
        "an 0 50 walk\nan 60 80 walk",
        "Both are kept.";
    EVENT_OUTSIDE = "anm-text-event-outside", Warning, Reference,
        "An event is in the range of no animation of its set.",
        "ev 500 step",
        "It is kept; no animation takes it.";

    BONE_UNKNOWN = "anm-text-bone-unknown", Error, Reference,
        "The model has no bone of that name.",
        "bl Neck",
        "The line counts as if it were not there.";
    BONE_AMBIGUOUS = "anm-text-bone-ambiguous", Warning, Reference,
        "The model has several bones of that name.",
        "The first one counts.";
    PARENT_OF_ROOT = "anm-text-parent-of-root", Warning, Reference,
        "`+parent` is asked of a bone that has none.",
        "bl hips +parent",
        "The bone counts without it.";
    NOTHING_FOUND = "anm-text-nothing-found", Warning, Reference,
        "The model's timeline has no key of the set's bones and no event in the range of an \
         animation, so that it has neither start nor end.",
        "an 500 600 walk",
        "The animation is left out.";
    NO_MODEL = "anm-text-no-model", Note, Loss,
        "The file names bones and times of a model, and the model is not there.",
        "The animations are empty ranges; bones stay names.";

    LOSS_MOTION = "anm-text-loss-motion", Note, Loss,
        "The format cuts a timeline into animations: the keys themselves, the skeleton and the \
         model are in a file of their own.",
        "They are left out.";
    LOSS_TIMELINE = "anm-text-loss-timeline", Warning, Loss,
        "The format knows one timeline of one skeleton. An animation has a timeline of its own, \
         whose times may be those of another animation too, or it moves another skeleton than the \
         first animation.",
        "It is written with the times that it has; one that moves another skeleton is left out.";
    LOSS_RANGE = "anm-text-loss-range", Warning, Loss,
        "An animation starts or ends where none of its bones has a key and no event is. A reader \
         lets it start with the first key or event.",
        "It is written, and will be read shorter.";
    LOSS_BONES = "anm-text-loss-bones", Warning, Loss,
        "An animation moves no bone, or none that has a name of its own.",
        "Without bones it is left out; of bones with one name the first one is meant.";
    LOSS_NAME = "anm-text-loss-name", Warning, Loss,
        "A name is one that the format cannot hold.",
        "It is written with other characters.";
    LOSS_WRAP = "anm-text-loss-wrap", Note, Loss,
        "The format does not say what happens at the end of an animation.",
        "It is left out.";
    LOSS_EVENT = "anm-text-loss-event", Warning, Loss,
        "An event is in no animation that is written, or carries more than a name.",
        "What has no place is left out.";
    LOSS_MACHINE = "anm-text-loss-machine", Note, Loss,
        "The format has no states and no way from one animation to another.",
        "They are left out.";
}
