//! The arguments of `animfmt migrate`.

use std::path::PathBuf;

use anim_formats::anim_ir::Code;

use crate::explain::parse_ignored;
use crate::output_argument::LAST;

#[derive(Debug, clap::Args)]
pub(crate) struct MigrateArgs {
    /// Folders that contain `resource.xml` files, at any depth, or such files.
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Output folder. Each resource is written to the same subfolder as in IN.
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Overwrite existing outputs whose content differs.
    #[arg(long, display_order = LAST)]
    pub(crate) force: bool,
    /// Write no output whose inputs have warnings or errors. Losses are allowed.
    #[arg(long, display_order = LAST)]
    pub(crate) strict: bool,
    /// With --strict: allow problems with these codes; may be repeated.
    #[arg(
        long,
        value_name = "CODE,…",
        value_delimiter = ',',
        value_parser = parse_ignored,
        requires = "strict",
        display_order = LAST + 1
    )]
    pub(crate) ignore: Vec<&'static Code>,
}
