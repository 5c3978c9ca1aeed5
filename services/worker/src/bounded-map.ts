/** A map that forgets everything when it would have more entries than `most`. */
export function createBoundedMap<Value>(
  most: number,
): Pick<Map<string, Value>, 'get' | 'set' | 'delete' | 'size'> {
  const map = new Map<string, Value>();
  const set = map.set.bind(map);
  map.set = (key, value) => {
    if (map.size >= most) map.clear();
    return set(key, value);
  };
  return map;
}
