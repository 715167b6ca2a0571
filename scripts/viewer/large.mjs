// Makes a GLB of about 3 MB: a textured, skinned cylinder that bends.

const ROUND = 160;
const HIGH = 330;

/** Returns the bytes of the file. */
export function largeGlb() {
  const count = (ROUND + 1) * HIGH;
  const positions = new Float32Array(count * 3);
  const normals = new Float32Array(count * 3);
  const joints = new Uint8Array(count * 4);
  const weights = new Float32Array(count * 4);
  for (let i = 0; i < count; i += 1) {
    const [angle, height] = [((i % (ROUND + 1)) / ROUND) * 2 * Math.PI, Math.floor(i / (ROUND + 1)) / (HIGH - 1)];
    normals.set([Math.cos(angle), 0, Math.sin(angle)], i * 3);
    positions.set([Math.cos(angle) * 0.3, height * 4, Math.sin(angle) * 0.3], i * 3);
    joints.set([0, 1, 0, 0], i * 4);
    weights.set([1 - height, height, 0, 0], i * 4);
  }
  const indices = new Uint32Array(ROUND * (HIGH - 1) * 6);
  for (let i = 0, at = 0; i < HIGH - 1; i += 1) {
    for (let k = 0; k < ROUND; k += 1, at += 6) {
      const first = i * (ROUND + 1) + k;
      const next = first + ROUND + 1;
      indices.set([first, next, first + 1, first + 1, next, next + 1], at);
    }
  }
  const binds = Float32Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1]);
  const times = Float32Array.from([0, 1, 2]);
  const turn = Math.sin(Math.PI / 8);
  const rotations = Float32Array.from([0, 0, 0, 1, 0, 0, turn, Math.cos(Math.PI / 8), 0, 0, 0, 1]);
  const arrays = [
    [positions, 'VEC3', 5126, 34962, { min: [-0.3, 0, -0.3], max: [0.3, 4, 0.3] }],
    [normals, 'VEC3', 5126, 34962], [joints, 'VEC4', 5121, 34962], [weights, 'VEC4', 5126, 34962],
    [indices, 'SCALAR', 5125, 34963], [binds, 'MAT4', 5126], [times, 'SCALAR', 5126, undefined, { min: [0], max: [2] }], [rotations, 'VEC4', 5126],
  ];
  const widths = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };
  let length = 0;
  const bufferViews = arrays.map(([array, , , target]) => {
    const view = { buffer: 0, byteOffset: length, byteLength: array.byteLength, target };
    length += array.byteLength;
    return view;
  });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 2] }],
    nodes: [{ name: 'root', children: [1] }, { name: 'bend', translation: [0, 2, 0] }, { name: 'column', mesh: 0, skin: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1, JOINTS_0: 2, WEIGHTS_0: 3 }, indices: 4 }] }],
    skins: [{ joints: [0, 1], inverseBindMatrices: 5 }],
    animations: [{ name: 'bow', samplers: [{ input: 6, output: 7 }], channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }] }],
    accessors: arrays.map(([array, type, componentType, , more], bufferView) => ({ bufferView, componentType, type, count: array.length / widths[type], ...more })),
    bufferViews,
    buffers: [{ byteLength: length }],
  };
  let text = JSON.stringify(json);
  text += ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
  const head = Buffer.alloc(20);
  const chunk = Buffer.alloc(8);
  head.write('glTF');
  [2, 28 + text.length + length, text.length, 0x4e4f534a].forEach((x, i) => head.writeUInt32LE(x, 4 + i * 4));
  chunk.writeUInt32LE(length, 0);
  chunk.writeUInt32LE(0x004e4942, 4);
  return Buffer.concat([head, Buffer.from(text), chunk, ...arrays.map(([array]) => Buffer.from(array.buffer))]);
}
