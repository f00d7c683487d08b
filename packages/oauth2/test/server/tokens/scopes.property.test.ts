import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { InvalidScope } from '#src/errors.ts'
import { parseScopes } from '#src/http/parameters.ts'

/** %x21 / %x23-5B / %x5D-7E. @see RFC 6749 section 3.3 */
const isScopeSign = (sign: string): boolean => sign > ' ' && sign <= '~' && sign !== '"' && sign !== '\\'
const visible = Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code)).filter(isScopeSign)
const scope = fc.oneof(
  fc.constantFrom('a', 'b', 'constructor', '__proto__'),
  fc.string({ unit: fc.constantFrom(...visible), minLength: 1 })
)
const blanks = fc.constantFrom(' ', '  ')

void t.test('a list of scopes is a set in the order of its first members', async () => {
  fc.assert(
    fc.property(fc.array(scope), blanks, fc.constantFrom('', ' '), (scopes, gap, edge) => {
      const read = parseScopes(edge + scopes.join(gap) + edge)
      const model = scopes.filter((each, at) => scopes.indexOf(each) === at)
      return read.join(' ') === model.join(' ') && parseScopes(read.join(' ')).join(' ') === read.join(' ')
    })
  )
})

void t.test('a text with a sign that scopes do not have is refused as a whole; no other is', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii' }),
    fc.string({ unit: 'binary' }),
    fc.array(scope).map((all) => all.join(' '))
  )
  fc.assert(
    fc.property(text, (given) => {
      const isRight = Array.from(given).every((sign) => sign === ' ' || isScopeSign(sign))
      try {
        return parseScopes(given).every((each) => each !== '') && isRight
      } catch (error) {
        return error instanceof InvalidScope && !isRight
      }
    }),
    { numRuns: runs(500) }
  )
})
