import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { ParameterNotText } from '#src/errors.ts'
import { bodyParameters, FormBody, type Parameters, parseForm, queryParameters } from '#src/http/parameters.ts'
import { OAuthError } from '#src/index.ts'

const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))
const name = text.filter((value) => !/[[.]/.test(value))
const pairs = fc.array(fc.tuple(fc.oneof(fc.constantFrom('code', 'state', '__proto__', 'constructor'), name), text))
const encode = (list: readonly [string, string][]): string => new URLSearchParams(list).toString()

/** What RFC 6749 section 3.2 makes of pairs: empty values count as absent, and no name may be there twice. */
function meant(list: readonly [string, string][], wanted: string): string | undefined {
  const [first, ...others] = list.filter(([key]) => key === wanted)
  if (others.length > 0) return 'twice'
  return first === undefined || first[1] === '' ? undefined : first[1]
}

function found(parameters: Parameters, wanted: string): string | undefined {
  try {
    return parameters.one(wanted)
  } catch (error) {
    if (error instanceof ParameterNotText) return 'twice'
    throw error
  }
}

void t.test(
  'what a form, a query and a body hold is read as it was written, and never when it is there twice',
  async () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const form = encode(list)
        const sources = [
          parseForm(form),
          queryParameters({ url: `/token?${form}` }),
          bodyParameters({ body: new FormBody(form) })
        ]
        const names = new Set(['code', 'hasOwnProperty', ...list.map(([key]) => key)])
        return [...names].every((each) => sources.every((source) => found(source, each) === meant(list, each)))
      }),
      { numRuns: runs(300) }
    )
  }
)

void t.test('`resource` may be there several times, in the order in which it was written', async () => {
  fc.assert(
    fc.property(fc.array(text), (values) => {
      const form = encode(values.map((value) => ['resource', value]))
      const wanted = values.filter((value) => value !== '').join('\0')
      return [parseForm(form), bodyParameters({ body: { resource: values } })].every(
        (source) => source.all('resource').join('\0') === wanted
      )
    })
  )
})

/** Every text that is read can be hashed, stored by any database, and written in an address. */
const isUsable = (value: string | undefined): boolean =>
  value === undefined || (value !== '' && !/[\0\p{Surrogate}]/u.test(value))

void t.test('whatever comes: usable texts, or an error of the protocol', async () => {
  const key = fc.constantFrom('code', 'code[]', 'code.x', 'resource')
  const body = fc.oneof(
    fc.dictionary(key, fc.oneof(fc.anything(), fc.constantFrom('\0', '\uD800', ['x'], ''))),
    fc.string({ unit: 'binary' }).map((form) => new FormBody(form)),
    fc.array(fc.tuple(key, fc.string({ unit: 'binary-ascii' }))).map((list) => new FormBody(encode(list))),
    fc.anything()
  )
  fc.assert(
    fc.property(body, (given) => {
      try {
        const parameters = bodyParameters({ body: given })
        return isUsable(parameters.one('code')) && parameters.all('resource').every(isUsable)
      } catch (error) {
        return error instanceof OAuthError && error.statusCode === 400
      }
    }),
    { numRuns: runs(500) }
  )
})

void t.test('escapes of bytes that are not UTF-8 are refused where they stand, and only there', async (t) => {
  for (const bytes of ['%ff', '%C3', 'a%ed%a0%80b', '%f0%9f%98', '%80']) {
    const parameters = parseForm(`state=${bytes}&code=x&%ff=y`)
    t.throws(() => parameters.one('state'), { code: 'OAUTH_INVALID_REQUEST', statusCode: 400 }, bytes)
    t.equal(parameters.one('code'), 'x')
    t.throws(() => parseForm(`resource=a&resource=${bytes}`).all('resource'), { code: 'OAUTH_INVALID_REQUEST' })
  }
  const parameters = parseForm('a=%F0%9F%98%80%c3%a9&b=100%&c=%zz')
  t.same([parameters.one('a'), parameters.one('b'), parameters.one('c')], ['😀é', '100%', '%zz'])
})
