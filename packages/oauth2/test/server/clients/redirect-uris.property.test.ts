import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { isLoopback, isRegistrable, matchesRedirectUri } from '#src/server/clients/redirect-uris.ts'

const piece = fc.oneof(
  fc.constantFrom(
    'http://',
    'https://',
    'HTTP://',
    'http:',
    'com.example.app:',
    'com.example.app:/',
    'javascript:',
    'data:'
  ),
  fc.constantFrom(
    '127.0.0.1',
    '[::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    '0x7f.1',
    'client.example',
    'evil.example'
  ),
  fc.constantFrom(
    ':80',
    ':8080',
    ':0',
    ':99999',
    ':',
    '/',
    '/cb',
    '/cb/',
    '?a=1',
    '#',
    '@',
    'user@',
    '\\',
    '.',
    '..',
    '%2f',
    '\t',
    ' '
  )
)
const uri = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.webUrl({ withQueryParameters: true }),
  fc.string({ unit: 'binary' })
)

void t.test('a redirect URI is an absolute one without fragment, user info and script, in visible ASCII', async () => {
  const scripts = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:', 'view-source:']
  fc.assert(
    fc.property(uri, (given) => {
      if (!isRegistrable(given)) return true
      const { hash, username, password, protocol } = new URL(given)
      return [hash, username, password].join('') === '' && !scripts.includes(protocol) && /^[!-~]+$/.test(given)
    }),
    { numRuns: runs(2000) }
  )
})

/** What browsers take for the place that an address leads to. */
const placeOf = (text: string, withPort: boolean): string => {
  const { protocol, hostname, port, pathname, search, hash } = new URL(text)
  return [protocol, hostname, withPort ? port : '', pathname, search, hash].join(' ')
}

/** @see RFC 9700 section 2.1 and RFC 8252 section 7.3 */
void t.test('only the port of a loopback address may differ from what is registered', async () => {
  fc.assert(
    fc.property(uri, fc.array(uri, { maxLength: 3 }), fc.boolean(), (given, others, isOwn) => {
      const registered = (isOwn ? [...others, given] : others).filter(isRegistrable)
      if (!matchesRedirectUri(given, registered)) return !registered.includes(given)
      if (registered.includes(given)) return isRegistrable(given)
      return registered.some((each) => isLoopback(each) && placeOf(each, false) === placeOf(given, false))
    }),
    { numRuns: runs(2000) }
  )
})

void t.test(
  'a native client may listen at any port of its loopback address, and at no other path or host',
  async () => {
    const host = fc.constantFrom('127.0.0.1', '[::1]', 'localhost')
    const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })
    const path = fc.constantFrom('/', '/cb', '/cb?a=1', '?a=1', '')
    const at = (name: string, number: number | undefined, rest: string): string =>
      `http://${name}${number === undefined ? '' : `:${number}`}${rest}`
    fc.assert(
      fc.property(host, host, port, port, path, path, (hostA, hostB, portA, portB, pathA, pathB) => {
        const isSame = hostA === hostB && pathA === pathB
        return matchesRedirectUri(at(hostA, portA, pathA), [at(hostB, portB, pathB)]) === isSame
      })
    )
  }
)
