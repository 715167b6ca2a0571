// Reads a GLB: nodes, meshes, skins, animations and materials, with their arrays.

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const ARRAYS = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const READERS = { 5120: 'getInt8', 5121: 'getUint8', 5122: 'getInt16', 5123: 'getUint16', 5125: 'getUint32', 5126: 'getFloat32' };
const LARGEST = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535, 5125: 4294967295 };
const MODES = ['points', 'lines', 'lines', 'lines', 'triangles', 'triangles', 'triangles'];

/** Reads the bytes of a GLB. Throws an Error that says what is wrong. */
export function readGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20 || view.getUint32(0, true) !== 0x46546c67) throw new Error('not a GLB');
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const bin = bytes.length > 28 + length ? bytes.subarray(28 + length, 28 + length + view.getUint32(20 + length, true)) : new Uint8Array();
  return new Reader(json, bin).model();
}

class Reader {
  constructor(json, bin) {
    Object.assign(this, { json, bin, known: new Map() });
  }

  model() {
    const { json } = this;
    const nodes = (json.nodes ?? []).map((node, number) => nodeOf(node, number));
    nodes.forEach((node) => node.children.forEach((child) => (nodes[child].parent = node.number)));
    const meshes = (json.meshes ?? []).map((mesh) => this.mesh(mesh));
    const skins = (json.skins ?? []).map(({ joints, inverseBindMatrices }) => ({
      joints,
      binds: inverseBindMatrices === undefined ? null : this.numbers(inverseBindMatrices),
    }));
    const animations = (json.animations ?? []).map((animation, number) => this.animation(animation, number, nodes));
    const images = (json.images ?? []).map((image) => this.image(image));
    const scene = json.scenes?.[json.scene ?? 0] ?? {};
    const roots = scene.nodes ?? nodes.filter(({ parent }) => parent < 0).map(({ number }) => number);
    return { json, nodes, order: inOrder(nodes, roots), meshes, skins, animations, images, materials: json.materials ?? [], extras: scene.extras ?? {} };
  }

  view(number, length) {
    const { buffer, byteOffset = 0, byteLength, byteStride } = this.json.bufferViews[number];
    let bytes = this.bin;
    const { uri } = this.json.buffers[buffer];
    if (uri !== undefined) {
      if (!uri.startsWith('data:')) throw new Error(`the buffer ${uri} is not in the file`);
      bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (c) => c.charCodeAt(0));
    }
    return { bytes: bytes.subarray(byteOffset, byteOffset + (length ?? byteLength)), stride: byteStride };
  }

  /** The numbers of an accessor, as they are stored; normalized integers as floats. */
  numbers(number) {
    if (!this.known.has(number)) this.known.set(number, this.read(this.json.accessors[number]));
    return this.known.get(number);
  }

  read({ bufferView, byteOffset = 0, componentType, normalized, count, type, sparse }) {
    const width = COMPONENTS[type];
    const kind = ARRAYS[componentType];
    let out = bufferView === undefined ? new kind(count * width) : this.strided(bufferView, byteOffset, componentType, count, width);
    if (sparse) {
      const { indices, values } = sparse;
      out = out.slice();
      const places = this.strided(indices.bufferView, indices.byteOffset ?? 0, indices.componentType, sparse.count, 1);
      const rows = this.strided(values.bufferView, values.byteOffset ?? 0, componentType, sparse.count, width);
      places.forEach((place, i) => out.set(rows.subarray(i * width, (i + 1) * width), place * width));
    }
    if (!normalized || componentType === 5126) return out;
    return Float32Array.from(out, (x) => Math.max(x / LARGEST[componentType], -1));
  }

  strided(number, offset, componentType, count, width) {
    const { bytes, stride } = this.view(number);
    const kind = ARRAYS[componentType];
    const size = kind.BYTES_PER_ELEMENT;
    const start = bytes.byteOffset + offset;
    const step = stride ?? width * size;
    if (count > 0 && offset + step * (count - 1) + width * size > bytes.length) throw new Error('an accessor reaches beyond its buffer');
    if (step === width * size && start % size === 0) return new kind(bytes.buffer, start, count * width);
    const view = new DataView(bytes.buffer, start);
    return kind.from({ length: count * width }, (_, i) => view[READERS[componentType]](Math.floor(i / width) * step + (i % width) * size, true));
  }

  floats(number) {
    const found = this.numbers(number);
    return found instanceof Float32Array ? found : Float32Array.from(found);
  }

  mesh({ name = '', primitives, weights, extras }) {
    const parts = primitives.map((primitive) => this.primitive(primitive));
    const targets = parts[0]?.targets.length ?? 0;
    return { name, parts, weights: weights ?? new Array(targets).fill(0), targetNames: extras?.targetNames ?? [] };
  }

  primitive({ attributes, indices, material, mode = 4, targets = [] }) {
    const own = (name) => (attributes[name] === undefined ? null : this.floats(attributes[name]));
    const integers = (name) => (attributes[name] === undefined ? null : Uint16Array.from(this.numbers(attributes[name])));
    const positions = own('POSITION') ?? new Float32Array();
    const count = positions.length / 3;
    const colors = own('COLOR_0');
    return {
      kind: MODES[mode] ?? 'triangles',
      material,
      count,
      positions,
      normals: own('NORMAL'),
      texcoords: [own('TEXCOORD_0'), own('TEXCOORD_1')],
      colors: colors && colors.length === count * 3 ? withAlpha(colors) : colors,
      joints: [integers('JOINTS_0'), integers('JOINTS_1')],
      weights: [own('WEIGHTS_0'), own('WEIGHTS_1')],
      indices: asList(mode, indices === undefined ? null : this.numbers(indices), count),
      targets: targets.map(({ POSITION, NORMAL }) => ({
        positions: POSITION === undefined ? null : this.floats(POSITION),
        normals: NORMAL === undefined ? null : this.floats(NORMAL),
      })),
    };
  }

  animation({ name, channels, samplers, extras }, number, nodes) {
    const read = samplers.map(({ input, output, interpolation = 'LINEAR' }) => ({ times: this.floats(input), values: this.floats(output), interpolation }));
    const used = channels.map(({ sampler, target }) => ({ ...read[sampler], ...destination(target) }));
    const known = used.filter(({ node, times }) => nodes[node] && times.length > 0);
    const last = known.reduce((end, { times }) => Math.max(end, times.at(-1)), 0);
    const own = extras?.anim_formats ?? {};
    return {
      number,
      name: own.name ?? name ?? `animation ${number + 1}`,
      start: own.start ?? 0,
      end: own.end ?? last,
      wrap: own.wrap ?? 'unspecified',
      group: own.group ?? null,
      frames: own.time_base?.frames_per_second ?? null,
      events: own.events ?? [],
      isEmpty: own.empty === true,
      channels: known,
    };
  }

  image({ name = '', uri, mimeType, bufferView }) {
    if (bufferView !== undefined) return { name, blob: new Blob([this.view(bufferView).bytes], { type: mimeType }) };
    if (!uri?.startsWith('data:')) return { name: name || uri, blob: null };
    const bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (c) => c.charCodeAt(0));
    return { name, blob: new Blob([bytes], { type: uri.slice(5, uri.indexOf(';')) }) };
  }
}

/** The node and property that a channel animates, also if it is named by a pointer. */
function destination({ node, path, extensions }) {
  const pointer = extensions?.KHR_animation_pointer?.pointer;
  const found = pointer?.match(/^\/nodes\/(\d+)\/(?:extensions\/KHR_node_visibility\/)?(\w+)$/);
  return found ? { node: Number(found[1]), path: found[2] } : { node, path };
}

function nodeOf({ name = '', mesh, skin, matrix, translation, rotation, scale, children = [], weights, extensions, extras }, number) {
  return {
    number,
    name: extras?.anim_formats?.name ?? name,
    role: extras?.anim_formats?.role ?? null,
    parent: -1,
    children,
    mesh,
    skin,
    matrix: matrix ?? null,
    translation: translation ?? [0, 0, 0],
    rotation: rotation ?? [0, 0, 0, 1],
    scale: scale ?? [1, 1, 1],
    weights,
    visible: extensions?.KHR_node_visibility?.visible ?? true,
  };
}

/** All nodes of the scene, parents first. */
function inOrder(nodes, roots) {
  const order = [];
  const open = [...roots].reverse();
  while (open.length > 0 && order.length <= nodes.length) {
    const number = open.pop();
    order.push(number);
    open.push(...[...nodes[number].children].reverse());
  }
  return order;
}

function withAlpha(colors) {
  const out = new Float32Array((colors.length / 3) * 4);
  for (let i = 0; i < out.length; i += 1) out[i] = i % 4 === 3 ? 1 : colors[Math.floor(i / 4) * 3 + (i % 4)];
  return out;
}

/** The vertices of separate points, lines or triangles, instead of strips, loops and fans. */
function asList(mode, indices, count) {
  const all = indices ?? Uint32Array.from({ length: count }, (_, i) => i);
  const last = all.length;
  const out = [];
  switch (mode) {
    case 2:
    case 3:
      for (let i = 1; i < last; i += 1) out.push(all[i - 1], all[i]);
      if (mode === 2 && last > 1) out.push(all[last - 1], all[0]);
      return Uint32Array.from(out);
    case 5:
      for (let i = 2; i < last; i += 1) out.push(all[i - 2], all[i - 1 + (i % 2)], all[i - (i % 2)]);
      return Uint32Array.from(out);
    case 6:
      for (let i = 2; i < last; i += 1) out.push(all[i - 1], all[i], all[0]);
      return Uint32Array.from(out);
    default:
      return Uint32Array.from(all);
  }
}
