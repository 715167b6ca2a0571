// How much a GLB draws, so that a page does not hang without warning.

/** More than this may take seconds for each picture. */
const MOST = { objects: 10_000, triangles: 10_000_000, nodes: 50_000 };

/** The numbers of nodes, objects and triangles. */
export function weigh(buffer) {
  const length = new DataView(buffer).getUint32(12, true);
  const { nodes = [], meshes = [], accessors = [] } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, length)));
  const sum = (values) => values.reduce((all, value) => all + value, 0);
  const triangles = meshes.map(({ primitives }) => sum(primitives.map(({ indices, attributes }) => (accessors[indices ?? attributes.POSITION]?.count ?? 0) / 3)));
  const drawn = nodes.filter(({ mesh }) => mesh !== undefined).map(({ mesh }) => mesh);
  return { nodes: nodes.length, objects: sum(drawn.map((mesh) => meshes[mesh].primitives.length)), triangles: Math.round(sum(drawn.map((mesh) => triangles[mesh]))) };
}

/** What is a lot in some models: `50,000 objects`; empty if nothing is. */
export function heavy(weights) {
  return Object.keys(MOST).flatMap((key) => {
    const number = weights.reduce((all, weight) => all + weight[key], 0);
    return number > MOST[key] ? [`${number.toLocaleString('en')} ${key}`] : [];
  });
}
