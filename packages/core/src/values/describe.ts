/** A short description of a value, for error messages. */
export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return value.length > 40 ? 'a text' : JSON.stringify(value)
  return typeof value === 'object' ? 'an object' : String(value)
}

/** The name among `names` that `written` probably means: with at most `most` typing errors. Undefined if there is none. */
export function closestName(
  written: string,
  names: readonly string[],
  most: number = written.length > 4 ? 2 : 1
): string | undefined {
  for (let slips = 0; slips <= most; slips++) {
    const suggestion = names.find((name) => isWithin(slips, written.toLowerCase(), name.toLowerCase()))
    if (suggestion !== undefined) return suggestion
  }
  return undefined
}

/** Whether one text becomes the other by adding, leaving out, changing or swapping so many characters. */
function isWithin(slips: number, one: string, other: string): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  const [left, right] = [one.slice(same), other.slice(same)]
  if (left === right) return true
  if (slips === 0) return false
  const areSwapped = left.length > 1 && left[0] === right[1] && left[1] === right[0]
  return (
    isWithin(slips - 1, left.slice(1), right) ||
    isWithin(slips - 1, left, right.slice(1)) ||
    isWithin(slips - 1, left.slice(1), right.slice(1)) ||
    (areSwapped && isWithin(slips - 1, left.slice(2), right.slice(2)))
  )
}
