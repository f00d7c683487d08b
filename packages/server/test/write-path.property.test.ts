import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { splitTarget, encodeSegment, hasDotSegment, writePath } from '#src/requests/request-target.ts'

const unit = fc.constantFrom(...Array.from('abAZ09-_.~!@:$&+,=;*()\'/\\%?#"<>^`|{}[] \n\0äß\u212A\u{1F600}'))
const segment = fc.string({ unit, minLength: 1, maxLength: 4 })

/** Writes every character either as it is, where a path may hold it, or byte by byte. */
const spelled = (text: string, marks: readonly boolean[]): string =>
  Array.from(text, (character, at) =>
    marks[at % marks.length] === true
      ? Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      : encodeURIComponent(character)
  ).join('')

const marks = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })
const slashes = fc.constantFrom('/', '//', '///')
const origin = fc.constantFrom('', 'http://a', 'HTTPS://a.b:8080')

void t.test('all spellings of a path are written as one, which is spelled so itself', async () => {
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 3 }), marks, slashes, origin, (segments, how, slash, host) => {
      const read = splitTarget(`${host}${slash}${segments.map((each) => spelled(each, how)).join(slash)}`)
      const text = writePath({ segments, endsWithSlash: false, query: undefined })
      const again = splitTarget(text)
      return (
        read !== undefined &&
        writePath({ ...read, endsWithSlash: false }) === text &&
        again !== undefined &&
        writePath({ ...again, endsWithSlash: false }) === text
      )
    }),
    { numRuns: runs(500) }
  )
})

void t.test('an encoded segment has nothing in it that ends a segment or a path', async () => {
  fc.assert(
    fc.property(segment, (text) => {
      const written = encodeSegment(text)
      return !/[/?#;\\\s\0]/.test(written) && decodeURIComponent(written) === text
    }),
    { numRuns: runs(500) }
  )
})

void t.test('dots that mean a folder are found, behind either slash as well', async (t) => {
  const isDotted = (...segments: string[]): boolean =>
    hasDotSegment({ segments, endsWithSlash: false, query: undefined })
  for (const text of ['.', '..', 'a/..', '..\\a', './a']) t.ok(isDotted('x', text), text)
  for (const text of ['...', '.a', 'a..b', 'a.']) t.notOk(isDotted('x', text), text)
})
