// Distances between two sets of points.

/** The largest distance between points with the same index; non-finite if a point is non-finite. */
export function farthestInOrder(a, b) {
  let squared = 0;
  for (let i = 0; i < a.length; i += 3) {
    squared = greater(squared, (a[i] - b[i]) ** 2 + (a[i + 1] - b[i + 1]) ** 2 + (a[i + 2] - b[i + 2]) ** 2);
  }
  return Math.sqrt(squared);
}

/** The largest distance from a point of either set to the nearest point of the other. */
export function farthestOfSets(a, b) {
  return Math.max(farthestFrom(a, b), farthestFrom(b, a));
}

/** The largest distance from a point of `from` to the nearest point of `to`. */
export function farthestFrom(from, to) {
  if (from.length === 0) return 0;
  if (to.length === 0 || to.some(Number.isNaN)) return Infinity;
  const nearest = tree(to);
  let squared = 0;
  for (let i = 0; i < from.length; i += 3) squared = greater(squared, nearest(from.subarray(i, i + 3)));
  return Math.sqrt(squared);
}

/** The diagonal of the points' bounding box. */
export function diagonal(points) {
  const low = [Infinity, Infinity, Infinity];
  const high = low.map((x) => -x);
  points.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x);
    high[i % 3] = Math.max(high[i % 3], x);
  });
  return points.length === 0 ? 0 : Math.hypot(...high.map((x, i) => x - low[i]));
}

/** The maximum; NaN counts as larger than any number. */
function greater(a, b) {
  return Number.isNaN(b) ? Infinity : Math.max(a, b);
}

/** Builds a k-d tree and returns a function that computes the squared distance to the nearest point. */
function tree(points) {
  const order = Uint32Array.from({ length: points.length / 3 }, (_, i) => i);
  const split = (start, end, axis) => {
    if (end - start <= 8) return;
    order.subarray(start, end).sort((a, b) => points[a * 3 + axis] - points[b * 3 + axis]);
    const middle = (start + end) >> 1;
    split(start, middle, (axis + 1) % 3);
    split(middle + 1, end, (axis + 1) % 3);
  };
  split(0, order.length, 0);
  const search = (target, start, end, axis, best) => {
    const distance = (i) =>
      (points[i * 3] - target[0]) ** 2 + (points[i * 3 + 1] - target[1]) ** 2 + (points[i * 3 + 2] - target[2]) ** 2;
    if (end - start <= 8) {
      for (let at = start; at < end; at += 1) best = Math.min(best, distance(order[at]));
      return best;
    }
    const middle = (start + end) >> 1;
    const along = target[axis] - points[order[middle] * 3 + axis];
    const next = (axis + 1) % 3;
    best = Math.min(best, distance(order[middle]));
    const [near, far] = along < 0 ? [[start, middle], [middle + 1, end]] : [[middle + 1, end], [start, middle]];
    best = search(target, ...near, next, best);
    return along * along < best ? search(target, ...far, next, best) : best;
  };
  return (target) => search(target, 0, order.length, 0, Infinity);
}
