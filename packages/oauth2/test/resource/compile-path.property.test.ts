import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { compilePath, normalPath } from '#src/resource/path-rules.ts'
import { PathInvalid } from '#src/errors.ts'

const sign = fc.constantFrom(...Array.from('abzAZ019-_.~!@,&=äßиσ \n\u2028%'))
const segment = fc.string({ unit: sign, minLength: 1, maxLength: 4 })
const segments = fc.array(segment, { maxLength: 4 })

interface Disguise {
  readonly origin: string
  readonly marks: readonly number[]
  readonly slash: string
  readonly rest: string
}

const encodeSign = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** A way in which a client may write a path: signs as percents, letters in another case, slashes twice, a host before it. */
const disguise: fc.Arbitrary<Disguise> = fc
  .record({
    origin: fc.constantFrom('', '', 'http://api.example', 'HTTPS://api.example:8443'),
    marks: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 7 }),
    slash: fc.constantFrom('/', '//', '%2F', '/%2f'),
    rest: fc.constantFrom('', '/', '?x=/y', '#/y')
  })
  // The router has no path for a target with both.
  .filter(({ origin, rest }) => origin === '' || !rest.startsWith('#'))

function write(path: readonly string[], { origin, marks, slash, rest }: Disguise): string {
  let at = 0
  const writeSign = (each: string): string => {
    const mark = marks[at++ % marks.length]
    if (mark === 1) return encodeSign(each)
    return mark === 2 && /[a-zσ]/i.test(each) ? encodeURI(each.toUpperCase()) : encodeURIComponent(each)
  }
  const written = path.map((each) => Array.from(each, writeSign).join(''))
  return `${origin}/${written.join(slash)}${rest}`
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
const plainSegment = segment.filter((text) => !text.includes('%'))

void t.test('a path is protected with all that lies below it, in whatever way it is written', async () => {
  fc.assert(
    fc.property(fc.array(plainSegment, { maxLength: 3 }), segments, disguise, (pattern, below, as) => {
      const path = normalPath(write([...pattern, ...below], as))
      return [pattern, pattern.map(encodeURIComponent)].every((each) => compilePath(`/${each.join('/')}`)(path))
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('`:name` stands for one segment and `*` for anything, line breaks as well', async () => {
  const written = fc.array(fc.oneof(plainSegment, fc.constantFrom(':id', '*')), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(written, fc.array(segment, { minLength: 3, maxLength: 3 }), disguise, (pattern, fill, as) => {
      const path = pattern.map((each, at) => (each === ':id' || each === '*' ? (fill[at] ?? '') : each))
      return compilePath(`/${pattern.join('/')}`)(normalPath(write(path, as)))
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('a path without these is at or below exactly what begins with its segments', async () => {
  const plain = fc.string({ unit: fc.constantFrom(...Array.from('abAB-.')), minLength: 1, maxLength: 2 })
  const list = fc.array(plain, { maxLength: 3 })
  fc.assert(
    fc.property(list, list, disguise, (pattern, path, as) => {
      const model = pattern.every((each, at) => same(each, path[at] ?? ''))
      return compilePath(`/${pattern.join('/')}`)(normalPath(write(path, as))) === model
    }),
    { numRuns: runs(1000) }
  )
})

void t.test('what cannot be decoded is protected; what is no path is told by a coded error', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      try {
        const isAt = compilePath(text)
        return isAt(normalPath('/%ZZ')) && text.startsWith('/')
      } catch (error) {
        return error instanceof PathInvalid
      }
    })
  )
})
