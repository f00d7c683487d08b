import { runs } from '@modelwire/test-waits'
import { posix, win32 } from 'node:path'
import * as fc from 'fast-check'
import t from 'tap'
import { checkKey, checkName, pendingPrefix } from '#src/stores/check-name.ts'
import { FileNameInvalid } from '#src/errors.ts'

const isTaken = (name: unknown, platform?: NodeJS.Platform): boolean => {
  try {
    return checkName(name, platform) === name
  } catch (error) {
    if (error instanceof FileNameInvalid) return false
    throw error
  }
}

/** Texts of characters that mean something to some file system. */
const odd = fc.string({
  unit: fc.constantFrom(
    '.',
    '/',
    '\\',
    ':',
    ' ',
    '\u0000',
    '\n',
    'a',
    'CON',
    'nul',
    '..',
    '%2e',
    '~',
    '$',
    '\uD800',
    'ü',
    '€'
  ),
  maxLength: 12
})

t.test('a name that is taken leads to one entry of its folder, on every system', async () => {
  fc.assert(
    fc.property(fc.oneof(odd, fc.string({ unit: 'binary' })), (name) => {
      fc.pre(isTaken(name, 'win32'))
      for (const paths of [posix, win32]) {
        const path = paths.join('root', 'one', name)
        if (paths.basename(path) !== name || paths.dirname(path) !== paths.join('root', 'one')) return false
      }
      return posix.resolve('/root', name) === `/root/${name}` && win32.resolve('C:\\root', name) === `C:\\root\\${name}`
    }),
    { numRuns: runs(5000) }
  )
})

t.test('separators, NUL, dots alone and reserved names are never taken', async (t) => {
  const separator = fc.constantFrom('/', '\\', '\u0000', '\u007F', '\r')
  fc.assert(fc.property(odd, separator, odd, (before, one, after) => !isTaken(before + one + after)))
  for (const name of [
    '',
    '.',
    '..',
    '...',
    'a.',
    'a ',
    'CON',
    'con.txt',
    'nul .txt',
    'LPT9',
    'com\u00B9.x',
    'x'.repeat(256),
    '€'.repeat(86)
  ])
    t.notOk(isTaken(name), name)
  for (const name of [5, null, undefined, ['a'], { toString: () => 'a' }]) t.notOk(isTaken(name))
  t.notOk(isTaken(`${pendingPrefix}x`))
  t.notOk(isTaken('a:b', 'win32'))
})

t.test('usual names are taken', async (t) => {
  for (const name of [
    'a',
    'a.txt',
    '.htaccess',
    'Ünïcode €.pdf',
    'console',
    'nullable.txt',
    '..a',
    'x'.repeat(255),
    "it's (1).png"
  ])
    t.ok(isTaken(name), name)
  t.ok(isTaken('a:b', 'linux'))
})

t.test('keys of a store have such names between slashes', async (t) => {
  t.equal(checkKey('a/b/c.txt'), 'a/b/c.txt')
  for (const key of ['/a', 'a/', 'a//b', 'a/../b', '..', 5])
    t.throws(() => checkKey(key), { code: 'FILE_NAME_INVALID' })
})
