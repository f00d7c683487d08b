import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { safeReturn } from '#src/pages/show-page.ts'

// Pieces of which addresses are made that browsers read in their own way.
const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '/.',
    '%2e',
    '%2f',
    '%5c',
    '@',
    ':',
    '?',
    '#',
    ';',
    '&',
    'https:',
    'javascript:'
  ),
  fc.constantFrom(
    'evil.example',
    '[::1]',
    'a',
    '\t',
    '\n',
    '\r',
    '\0',
    ' ',
    '\u2044',
    '\uFF0F',
    '%',
    '%00',
    '\u00AD',
    '\uD800'
  )
)
// What browsers leave out of a path, so that two slashes may come together.
const walk = fc.constantFrom('/', '/', '.', '..', '%2e', 'a')
const address = fc.oneof(
  fc.array(walk, { minLength: 2, maxLength: 6 }).map((parts) => `/${parts.join('')}`),
  fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.array(piece, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
  fc.string({ unit: 'binary' }).map((rest) => `/${rest}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true })
)
const bases = ['https://id.example/login?x', 'http://id.example:8080/a/b/login', 'https://[::1]/']

void t.test(
  'an address that is safe stays on this server, wherever it is resolved, and needs no second look',
  async () => {
    fc.assert(
      fc.property(address, (given) => {
        const safe = safeReturn(given)
        if (safe === undefined) return true
        const isHere = bases.every((base) => new URL(safe, base).origin === new URL(base).origin)
        const isHeader = /^[!-~]+$/.test(safe)
        return isHere && isHeader && safe.startsWith('/') && safeReturn(safe) === safe
      }),
      { numRuns: runs(2000) }
    )
  }
)

void t.test('an address of a request to this server is safe, with all of its query', async () => {
  const segment = fc
    .string({ minLength: 1 })
    .map(encodeURIComponent)
    .filter((text) => !/^\.{1,2}$/.test(text))
  const query = fc.dictionary(fc.string(), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.array(segment), query, (segments, parameters) => {
      const path = `/${segments.join('/')}?${new URLSearchParams(parameters).toString()}x`
      return safeReturn(path) === path && safeReturn(`${path}#part`) === path
    })
  )
})

void t.test('what is no text is nowhere', async () => {
  fc.assert(fc.property(fc.anything(), (given) => typeof given === 'string' || safeReturn(given) === undefined))
})
