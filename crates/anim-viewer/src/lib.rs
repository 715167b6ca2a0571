//! What programs show of an animation file, without any I/O: a page that plays it, its problems
//! with their lines, its repairs, and what a conversion makes of it.

mod advice;
mod clips;
mod combine;
mod convert;
mod cut;
mod description;
mod excerpt;
mod failure;
mod machine;
mod model;
mod output_names;
mod page;
mod places;
mod problems;
mod rate;
mod repairs;
mod report;
mod source;
mod totals;
mod wording;

pub use advice::{LISTED, misfit, short_names};
pub use clips::{pick, pick_playable};
pub use combine::Combination;
pub use convert::{
    Combined, Conversion, Found, OF_SEVERAL, OF_SEVERAL_CUTS, Split, advise, combine_parts,
    first_of_each, write_scene,
};
pub use cut::{CUTS_RATE, Cutting, cut};
pub use description::{FileInfo, PageInfo, Problem};
pub use excerpt::{Excerpt, MarkedLine, marked_line, row_of};
pub use failure::{Failure, Status};
pub use machine::Machine;
pub use model::{Model, summary};
pub use output_names::{caseless, compress_as_named, is_compressed, numbered, sanitize};
pub use page::{html, template};
pub use places::{Place, Places};
pub use problems::{all_problems, look_closer};
pub use rate::changed_length;
pub use repairs::{DiffLine, LineKind, Made as Repair, NotMade, Repairs};
pub use report::DiagnosticReport;
pub use source::{NEEDS_MODEL, Request, Source, combine};
pub use totals::{
    Totals, counts_by_code, is_counted, loss_label, loss_severity, not_kept, short, totals,
};
pub use wording::{count, counts, show_name, show_path, size, thousands};

/// The options of formats that conversions between programs often need.
pub const OFTEN_NEEDED: [&str; 5] = ["normals", "rate", "fps", "up", "clip-names"];
