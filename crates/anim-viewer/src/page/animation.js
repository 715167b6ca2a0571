// Evaluates the animations of a model: the pose of all nodes at a time.

import { compose, multiply, normalize, slerp } from './math.js';

const PATH_WIDTHS = { translation: 3, rotation: 4, scale: 3, visible: 1 };

/** The transforms of all nodes relative to their parents, their morph weights and visibility. */
export class Pose {
  constructor(model) {
    const count = model.nodes.length;
    this.model = model;
    this.translation = new Float64Array(count * 3);
    this.rotation = new Float64Array(count * 4);
    this.scale = new Float64Array(count * 3);
    this.visible = new Uint8Array(count);
    this.moved = new Uint8Array(count);
    this.weights = model.nodes.map(({ mesh, weights }) => (mesh === undefined ? null : Float64Array.from(weights ?? model.meshes[mesh].weights)));
    this.rest();
  }

  rest() {
    for (const { number, translation, rotation, scale, visible, weights, mesh } of this.model.nodes) {
      this.translation.set(translation, number * 3);
      this.rotation.set(rotation, number * 4);
      this.scale.set(scale, number * 3);
      this.visible[number] = visible ? 1 : 0;
      this.weights[number]?.set(weights ?? this.model.meshes[mesh].weights);
    }
    this.moved.fill(0);
    return this;
  }

  /** Sets the nodes that an animation moves, at a time of the animation. */
  play(animation, time) {
    for (const channel of animation?.channels ?? []) {
      const { node, path } = channel;
      const width = path === 'weights' ? (this.weights[node]?.length ?? 0) : PATH_WIDTHS[path];
      if (!width) continue;
      sample(channel, time, this[path === 'weights' ? 'weights' : path], path, node, width);
      this.moved[node] = 1;
    }
    return this;
  }

  /** Blends towards another pose. A node that only one of them moves follows that one. */
  blend(other, part) {
    for (let node = 0; node < this.moved.length; node += 1) {
      if (!other.moved[node]) continue;
      const share = this.moved[node] ? part : 1;
      for (const path of ['translation', 'scale']) {
        const [to, from] = [this[path], other[path]];
        for (let i = node * 3; i < node * 3 + 3; i += 1) to[i] += (from[i] - to[i]) * share;
      }
      slerp(this.rotation, node * 4, this.rotation.slice(node * 4, node * 4 + 4), 0, other.rotation, node * 4, share);
      this.moved[node] = 1;
    }
  }

  /** Computes the matrices from the space of each node to that of the world, and what is hidden. */
  worlds(out = { matrices: new Float64Array(this.moved.length * 16), shown: new Uint8Array(this.moved.length) }) {
    const { model } = this;
    const local = new Float64Array(16);
    for (const number of model.order) {
      const { matrix, parent } = model.nodes[number];
      if (matrix && !this.moved[number]) local.set(matrix);
      else compose(local, 0, this.translation, number * 3, this.rotation, number * 4, this.scale, number * 3);
      if (parent < 0) out.matrices.set(local, number * 16);
      else multiply(out.matrices, number * 16, out.matrices, parent * 16, local, 0);
      out.shown[number] = this.visible[number] && (parent < 0 || out.shown[parent]) ? 1 : 0;
    }
    return out;
  }
}

/** Writes the value of a channel at a time. */
function sample({ times, values, interpolation }, time, arrays, path, node, width) {
  const [out, to] = path === 'weights' ? [arrays[node], 0] : [arrays, node * width];
  const cubic = interpolation === 'CUBICSPLINE';
  const row = (key, part = 1) => (cubic ? key * 3 + part : key) * width;
  const copy = (key) => {
    for (let c = 0; c < width; c += 1) out[to + c] = values[row(key) + c];
  };
  const next = after(times, time);
  if (next === 0) return copy(0);
  if (next === times.length || interpolation === 'STEP') return copy(next - 1);
  const [start, end] = [times[next - 1], times[next]];
  const part = (time - start) / (end - start);
  const [a, b] = [row(next - 1), row(next)];
  if (cubic) {
    const [p2, p3, span] = [part ** 2, part ** 3, end - start];
    for (let c = 0; c < width; c += 1) {
      const [leaving, arriving] = [values[row(next - 1, 2) + c] * span, values[row(next, 0) + c] * span];
      out[to + c] = (2 * p3 - 3 * p2 + 1) * values[a + c] + (p3 - 2 * p2 + part) * leaving + (3 * p2 - 2 * p3) * values[b + c] + (p3 - p2) * arriving;
    }
    if (path === 'rotation') normalize(out, to);
  } else if (path === 'rotation') {
    slerp(out, to, values, a, values, b, part);
  } else {
    for (let c = 0; c < width; c += 1) out[to + c] = values[a + c] + (values[b + c] - values[a + c]) * part;
  }
  return undefined;
}

/** The index of the first time after this one. */
function after(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
