/** One media range of an Accept header. */
interface MediaRange {
  readonly type: string
  readonly subtype: string
  readonly quality: number
  readonly position: number
}

/** How well a supported type matches the header. */
interface Match {
  readonly quality: number
  /** 6 for the type itself, 4 and 2 for half of it, 0 for any. */
  readonly precision: number
  readonly position: number
}

/**
 * The one of `offered` that `accept` prefers; undefined if it accepts none. A range with a parameter other than `q` matches
 * nothing, since no offered type has one.
 * @see RFC 9110 section 12.5.1; LoopBack 3: the accepts package, from which ties are taken
 */
export function preferType(accept: string, offered: readonly string[]): string | undefined {
  const ranges = parseAccept(accept)
  let best: string | undefined
  let bestMatch: Match | undefined
  for (const type of offered) {
    const match = matchRanges(type, ranges)
    if (match === undefined || match.quality === 0 || (bestMatch !== undefined && !isBetter(match, bestMatch))) continue
    best = type
    bestMatch = match
  }
  return best
}

/** True if `accept` lists `type` itself, rather than a range that includes it, with a quality above 0. */
export function namesType(accept: string, type: string): boolean {
  return parseAccept(accept).some((range) => `${range.type}/${range.subtype}` === type && range.quality > 0)
}

function parseAccept(accept: string): MediaRange[] {
  return splitOutsideQuotes(accept, ',').flatMap((text, position) => parseRange(text, position) ?? [])
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator)
  const pattern = separator === ',' ? /(?:"[^"]*"?|[^",])+/g : /(?:"[^"]*"?|[^";])+/g
  return text.match(pattern) ?? []
}

function parseRange(text: string, position: number): MediaRange | undefined {
  const [range = '', ...parameters] = splitOutsideQuotes(text, ';')
  const [, type, subtype] = /^\s*([^\s/]+)\/([^\s/]+)\s*$/.exec(range) ?? []
  if (type === undefined || subtype === undefined) return undefined
  const quality = qualityOf(parameters)
  return quality === undefined
    ? undefined
    : { type: type.toLowerCase(), subtype: subtype.toLowerCase(), quality, position }
}

/** Undefined when there is another parameter, or the quality is not a number. */
function qualityOf(parameters: readonly string[]): number | undefined {
  let quality = 1
  for (const parameter of parameters) {
    const [, value] = /^\s*q\s*=\s*"?([^"]*)"?\s*$/i.exec(parameter) ?? []
    if (value === undefined) return undefined
    quality = Number.parseFloat(value)
  }
  return Number.isNaN(quality) ? undefined : quality
}

/** The most precise range that covers `type`. */
function matchRanges(type: string, ranges: readonly MediaRange[]): Match | undefined {
  const slash = type.indexOf('/')
  const [main, subtype] = [type.slice(0, slash), type.slice(slash + 1)]
  let best: Match | undefined
  for (const range of ranges) {
    const precision = precisionOf(range.type, main, 4) + precisionOf(range.subtype, subtype, 2)
    if (Number.isNaN(precision) || (best !== undefined && precision < best.precision)) continue
    if (best === undefined || precision > best.precision || range.quality >= best.quality)
      best = { ...range, precision }
  }
  return best
}

/** `points` for the same text, 0 for `*`, NaN for another text. */
function precisionOf(range: string, text: string, points: number): number {
  if (range === text) return points
  return range === '*' ? 0 : Number.NaN
}

/** Strictly better: of two equal matches the type that is offered first wins. */
function isBetter(match: Match, than: Match): boolean {
  if (match.quality !== than.quality) return match.quality > than.quality
  if (match.precision !== than.precision) return match.precision > than.precision
  return match.position < than.position
}
