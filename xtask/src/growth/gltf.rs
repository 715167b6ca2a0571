//! glTF. The buffer contains three positions, two key times, two translations and a matrix.

use super::family::Content::Bytes;
use super::family::Family;
use super::family::Part::{Each, Once};
use super::family::Row;

const HEAD: &str = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0";
/// Accessor 0 contains positions, 1 key times, 2 translations, and 3 a matrix.
const BUFFER: &str = ",\"buffers\":[{\"byteLength\":132,\"uri\":\"data:application/octet-stream;b\
ase64,\
    AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAA\
    AIA/AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAAAAAIA/\"}],\
    \"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\
    \":36,\
    \"byteLength\":8},{\"buffer\":0,\"byteOffset\":44,\"byteLength\":24},{\"buffer\":0,\"byteOffs\
    et\":68,\
    \"byteLength\":64}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"typ\
    e\":\
    \"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5126,\"count\":2,\
    \"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},{\"bufferView\":2,\"componentType\":5126,\"count\
    \":2,\
    \"type\":\"VEC3\"},{\"bufferView\":3,\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}]";
const NODE: &str = ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"n\",\"mesh\":0}]";
const MESH: &str = ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]";
/// The indices from 1.
const INDICES: &str = ",$j";

const ROWS: [Row; 30] = [
    (
        "gltf nodes",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"name\":\"n$i\",\"translation\":[$i,0,0]}"),
            Once("]}"),
        ],
    ),
    (
        "gltf equal nodes",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"name\":\"n\"}"),
            Once("]}"),
        ],
    ),
    (
        "gltf node chain",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0]}],\"nodes\":["),
            Each("{\"children\":[$j]},"),
            Once("{}]}"),
        ],
    ),
    (
        "gltf node chain with meshes",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0]}],\"nodes\":["),
            Each("{\"mesh\":0,\"children\":[$j]},"),
            Once("{}]"),
            Once(MESH),
            Once(BUFFER),
            Once("}"),
        ],
    ),
    (
        "gltf star",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1"),
            Each(",1$j"),
            Once("]}"),
            Each(",{}"),
            Once("]}"),
        ],
    ),
    (
        "gltf scenes",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"nodes\":[{}],\"scenes\":[{\"nodes\":[0]}"),
            Each(",{\"name\":\"s$i\",\"nodes\":[0]}"),
            Once("]}"),
        ],
    ),
    (
        "gltf meshes",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"mesh\":$i}"),
            Once("],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}"),
            Each(",{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}"),
            Once("]"),
            Once(BUFFER),
            Once("}"),
        ],
    ),
    (
        "gltf uses of a mesh",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"name\":\"n$i\",\"mesh\":0}"),
            Once("]"),
            Once(MESH),
            Once(BUFFER),
            Once("}"),
        ],
    ),
    (
        "gltf primitives",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}"),
            Each(",{\"attributes\":{\"POSITION\":0}}"),
            Once("]}]"),
            Once(BUFFER),
            Once("}"),
        ],
    ),
    (
        "gltf materials",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(",\"materials\":[{}"),
            Each(",{\"name\":\"m$i\"}"),
            Once("],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}"),
            Each(",{\"attributes\":{\"POSITION\":0},\"material\":$i}"),
            Once("]}]"),
            Once(BUFFER),
            Once("}"),
        ],
    ),
    (
        "gltf images",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(MESH),
            Once(BUFFER),
            Once(",\"images\":[{\"uri\":\"t.png\"}"),
            Each(",{\"uri\":\"t$i.png\"}"),
            Once("],\"textures\":[{\"source\":0}"),
            Each(",{\"source\":$i}"),
            Once("],\"materials\":[{}"),
            Each(",{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":$i}}}"),
            Once("]}"),
        ],
    ),
    (
        "gltf images in data URIs",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(MESH),
            Once(BUFFER),
            Once(",\"images\":[{}"),
            Each(
                ",{\"uri\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAA\
                AADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==\"}",
            ),
            Once("]}"),
        ],
    ),
    (
        "gltf animations",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(MESH),
            Once(BUFFER),
            Once(",\"animations\":[{\"samplers\":[],\"channels\":[]}"),
            Each(
                ",{\"name\":\"a$i\",\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sa\
                mpler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}]}",
            ),
            Once("]}"),
        ],
    ),
    (
        "gltf animations of nodes",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"name\":\"n$i\"}"),
            Once("]"),
            Once(BUFFER),
            Once(",\"animations\":[{\"samplers\":[],\"channels\":[]}"),
            Each(
                ",{\"name\":\"a$i\",\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sa\
                mpler\":0,\"target\":{\"node\":$j,\"path\":\"translation\"}}]}",
            ),
            Once("]}"),
        ],
    ),
    (
        "gltf channels",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"name\":\"n$i\"}"),
            Once("]"),
            Once(BUFFER),
            Once(",\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2}"),
            Each(",{\"input\":1,\"output\":2}"),
            Once(
                "],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}",
            ),
            Each(",{\"sampler\":$i,\"target\":{\"node\":$j,\"path\":\"translation\"}}"),
            Once("]}]}"),
        ],
    ),
    (
        "gltf channels of one node",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(MESH),
            Once(BUFFER),
            Once(
                ",\"animations\":[{\"samplers\":[{\"input\":1,\"output\":2}],\"channels\":[{\"sam\
                pler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}",
            ),
            Each(",{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}"),
            Once("]}]}"),
        ],
    ),
    (
        "gltf unused samplers",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(MESH),
            Once(BUFFER),
            Once(",\"animations\":[{\"channels\":[],\"samplers\":[{\"input\":1,\"output\":2}"),
            Each(",{\"input\":1,\"output\":2}"),
            Once("]}]}"),
        ],
    ),
    (
        "gltf morph targets",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(BUFFER),
            Once(
                ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"P\
                OSITION\":0}",
            ),
            Each(",{\"POSITION\":0}"),
            Once("]}]}]}"),
        ],
    ),
    (
        "gltf skins",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"mesh\":0,\"skin\":$i}"),
            Once("],\"skins\":[{\"joints\":[0]}"),
            Each(",{\"joints\":[$j],\"inverseBindMatrices\":3}"),
            Once("]"),
            Once(MESH),
            Once(BUFFER),
            Once("}"),
        ],
    ),
    (
        "gltf joints of a skin",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{\"mesh\":0,\"skin\":0}"),
            Each(",{\"name\":\"j$i\"}"),
            Once("],\"skins\":[{\"joints\":[1"),
            Each(INDICES),
            Once("]}]"),
            Once(MESH),
            Once(BUFFER),
            Once("}"),
        ],
    ),
    (
        "gltf cameras",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"camera\":$i}"),
            Once(
                "],\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1\
                }}",
            ),
            Each(",{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1}}"),
            Once("]}"),
        ],
    ),
    (
        "gltf accessors",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(
                ",\"bufferViews\":[],\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\
                \"VEC3\"}",
            ),
            Each(",{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}"),
            Once("]"),
            Once(MESH),
            Once("}"),
        ],
    ),
    (
        "gltf accessors without data",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0"),
            Each(INDICES),
            Once("]}],\"nodes\":[{}"),
            Each(",{\"mesh\":$i}"),
            Once("],\"accessors\":[{\"componentType\":5126,\"count\":3000,\"type\":\"VEC3\"}"),
            Each(",{\"componentType\":5126,\"count\":3000,\"type\":\"VEC3\"}"),
            Once("],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}"),
            Each(",{\"primitives\":[{\"attributes\":{\"POSITION\":$j}}]}"),
            Once("]}"),
        ],
    ),
    (
        "gltf buffer views",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(
                ",\"buffers\":[{\"byteLength\":3,\"uri\":\"data:,abc\"}],\"bufferViews\":[{\"buff\
                er\":0,\"byteLength\":3}",
            ),
            Each(",{\"buffer\":0,\"byteLength\":3}"),
            Once("],\"meshes\":[]}"),
        ],
    ),
    (
        "gltf buffers",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"buffers\":[{\"byteLength\":3,\"uri\":\"data:,abc\"}"),
            Each(",{\"byteLength\":3,\"uri\":\"data:,abc\"}"),
            Once("],\"scenes\":[{}]}"),
        ],
    ),
    (
        "gltf positions",
        "gltf",
        &[
            Once(HEAD),
            Once(NODE),
            Once(
                ",\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,",
            ),
            Each("AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"),
            Once(
                "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"buffer\
                View\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]",
            ),
            Once(MESH),
            Once("}"),
        ],
    ),
    (
        "gltf extras",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0],\"extras\":{\"a\":0"),
            Each(",\"k$i\":[$i,{\"x\":\"y\"}]"),
            Once("}}],\"nodes\":[{}]}"),
        ],
    ),
    (
        "gltf nested extras",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"extras\":"),
            Each("[[{\"a\":"),
            Once("0"),
            Each("}]]"),
            Once("}]}"),
        ],
    ),
    (
        "gltf unknown extensions",
        "gltf",
        &[
            Once(HEAD),
            Once(",\"scenes\":[{\"nodes\":[0]}],\"extensionsUsed\":[\"X\""),
            Each(",\"X$i\""),
            Once("],\"nodes\":[{\"extensions\":{\"X\":0"),
            Each(",\"X$i\":{}"),
            Once("}}]}"),
        ],
    ),
    ("gltf whitespace", "gltf", &[Once(HEAD), Each(" \n\t"), Once(",\"scenes\":[{}]}")]),
];

pub(super) fn families() -> Vec<Family> {
    let shared = Family::new("gltf materials on shared vertices", "gltf", Bytes(shared_vertices));
    ROWS.map(Family::of).into_iter().chain([shared]).collect()
}

/// Returns primitives of one triangle, each with a material of its own, that share vertices with
/// colours and texture coordinates.
fn shared_vertices(count: usize) -> Vec<u8> {
    let vertices = count + 2;
    let bytes = vertices * 12;
    let (mut materials, mut primitives) = (Vec::new(), Vec::new());
    for number in 0..count {
        let red = number as f64 / count as f64;
        materials
            .push(format!("{{\"pbrMetallicRoughness\":{{\"baseColorFactor\":[{red},0,1,1]}}}}"));
        primitives.push(format!(
            "{{\"attributes\":{{\"POSITION\":0,\"COLOR_0\":0,\"TEXCOORD_0\":1}},\"indices\":2,\
             \"material\":{number}}}"
        ));
    }
    let (materials, primitives) = (materials.join(","), primitives.join(","));
    // All numbers are zero, except the indices, which are 0, 1 and 2.
    let data = "AAAA".repeat(bytes.div_ceil(3));
    format!(
        "{HEAD}{NODE},\"materials\":[{materials}],\"meshes\":[{{\"primitives\":[{primitives}]}}],\
         \"buffers\":[{{\"byteLength\":{bytes},\"uri\":\"data:application/octet-stream;base64,\
         {data}\"}},{{\"byteLength\":3,\"uri\":\"data:application/octet-stream;base64,AAEC\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":{bytes}}},{{\"buffer\":1,\
         \"byteLength\":3}}],\"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\
         \"count\":{vertices},\"type\":\"VEC3\"}},{{\"bufferView\":0,\"componentType\":5126,\
         \"count\":{vertices},\"type\":\"VEC2\"}},{{\"bufferView\":1,\"componentType\":5121,\
         \"count\":3,\"type\":\"SCALAR\"}}]}}"
    )
    .into_bytes()
}
