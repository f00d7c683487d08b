import type { OperationContext } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { runs } from '@modelwire/test-waits'
import * as fc from 'fast-check'
import t from 'tap'
import { checkRedirect, redirectConfirmed } from '#src/accounts/verify-options.ts'
import { RedirectRefused } from '#src/errors.ts'

const front = 'https://front.example'
const model = (redirect?: string): ModelType => {
  const made: unknown = { definition: { verifyOptions: { redirect } } }
  return made as ModelType // the definition is all that is read of it
}

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '?',
    '#',
    '@',
    ':',
    'http:',
    'HTTPS:',
    'javascript:',
    'data:',
    'blob:',
    'ftp:'
  ),
  fc.constantFrom(
    'evil.example',
    'front.example',
    `${front}/`,
    '[::1]',
    'a',
    '\t',
    '\n',
    '\r\n',
    '\0',
    ' ',
    '\u3000',
    '\uFF0F',
    '\uD800',
    'é',
    '😀',
    '%0a',
    '%'
  )
)
const address = fc.oneof(
  fc.array(piece, { maxLength: 7 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc.webUrl()
)

/** Where a browser is sent to, from a page of http or of https; undefined where it is not. */
function destinations(redirect: string, own: string | undefined, allowed: string[]): readonly string[] | undefined {
  try {
    checkRedirect(redirect, model(own), allowed)
  } catch (error) {
    if (error instanceof RedirectRefused) return undefined
    throw error
  }
  const context: unknown = { args: { redirect }, headers: {} }
  const written = context as OperationContext // what a redirect reads and writes of it is there
  redirectConfirmed(written)
  const location = String(written.headers?.['location'])
  const isHeader = /^[!-~]*$/.test(location)
  return ['http://api.example:3000/api/Users/confirm', 'https://api.example/api/Users/confirm'].map((page) =>
    isHeader && new URL(location, page).origin === new URL(page).origin ? 'here' : new URL(location, page).origin
  )
}

void t.test('nobody is sent to another server than this one and those that the application names', async () => {
  const named = fc.constantFrom<[string | undefined, string[]]>([undefined, []], [front, []], [undefined, [front]])
  fc.assert(
    fc.property(address, named, (redirect, [own, allowed]) => {
      const places = destinations(redirect, own, allowed)
      const known = own === undefined && allowed.length === 0 ? ['here'] : ['here', front]
      return places === undefined || places.every((place) => known.includes(place))
    }),
    { numRuns: runs(3000) }
  )
})

void t.test('an address that only a line break made one is refused: in the header it would be none', async (t) => {
  for (const redirect of [`${front}\n`, 'HTTPS:front.example\n', 'https://fro\nnt.example'])
    t.equal(destinations(redirect, undefined, [front]), undefined, JSON.stringify(redirect))
  t.strictSame(destinations(`${front}/a\nb`, undefined, [front]), [front, front], 'in a path it is a sign like others')
})

void t.test('a path of this server is gone on to, with the signs of every script', async () => {
  const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\\/?#\s]/.test(text))
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
      const places = destinations(`/${segments.join('/')}`, undefined, [])
      return places?.every((place) => place === 'here') === true
    })
  )
})
