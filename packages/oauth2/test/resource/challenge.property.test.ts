import * as fc from 'fast-check'
import t from 'tap'
import { InsufficientScope, InvalidToken, TokenMissing } from '#src/errors.ts'
import { challengeOf } from '#src/resource/refuse-request.ts'

/** The parameters of a challenge: names, and texts in quotes, with commas between. @see RFC 9110 section 11.2 */
function parse(challenge: string): Readonly<Record<string, string>> | undefined {
  const parameter = /^([a-z_]+)="((?:[^"\\]|\\.)*)"(?:, |$)/
  const found: Record<string, string> = {}
  let rest = challenge === 'Bearer' ? '' : challenge.slice('Bearer '.length)
  while (rest !== '') {
    const [all, name, value] = parameter.exec(rest) ?? []
    if (all === undefined || name === undefined || value === undefined) return undefined
    found[name] = value.replaceAll(/\\(.)/g, '$1')
    rest = rest.slice(all.length)
  }
  return found
}

void t.test('a challenge is one header that says what it was made of, whatever texts these are', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...Array.from('a", \\\r\n=')) })
  )
  const error = fc.constantFrom(InvalidToken, InsufficientScope, TokenMissing)
  const readable = (value: string): string => value.replaceAll(/[^ -~]/g, '?')
  fc.assert(
    fc.property(text, text, error, fc.array(fc.constantFrom('read', 'write')), (realm, message, Kind, scopes) => {
      const challenge = challengeOf(new Kind(message), { realm }, scopes)
      const said = parse(challenge)
      const tells = Kind !== TokenMissing
      return (
        /^Bearer[ -~]*$/.test(challenge) &&
        said?.['realm'] === readable(realm) &&
        said['error_description'] === (tells ? readable(message) : undefined) &&
        (said['scope'] ?? '') === (Kind === InvalidToken ? '' : scopes.join(' '))
      )
    })
  )
})
