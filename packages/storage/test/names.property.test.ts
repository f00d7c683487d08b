import { runs } from '@modelwire/test-waits'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import t, { type Test } from 'tap'
import { textFile, uploadOf } from './form.ts'
import { serveFiles, temporaryFolder } from './serve-files.ts'

/** A root within a folder that holds a secret, and a container with a link to it. */
async function withSecret(t: Test) {
  const outside = await temporaryFolder(t)
  const root = join(outside, 'root')
  await mkdir(join(root, 'one'), { recursive: true })
  await writeFile(join(outside, 'secret.txt'), 'secret')
  await symlink(outside, join(root, 'out'))
  await symlink(join(outside, 'secret.txt'), join(root, 'one', 'link'))
  const { app } = await serveFiles(t, { root })
  const state = async () => [
    (await readdir(outside)).toSorted(),
    (await readdir(root)).toSorted(),
    await readFile(join(outside, 'secret.txt'), 'utf8')
  ]
  return { app, root, outside, state }
}

/** What stands in a path as it is: encoded once, twice, or not at all. */
const piece = fc.constantFrom(
  '..',
  '.',
  '%2e%2e',
  '%2E.',
  '%2f',
  '%2F',
  '%5c',
  '%252f',
  '%252e',
  '%00',
  '%0a',
  '%7f',
  '~',
  ':',
  '%ed%a0%80',
  'one',
  'out',
  'root',
  'link',
  'secret.txt',
  'nul',
  'CON',
  'com1.txt',
  'aux',
  '%20',
  'x'.repeat(300),
  '%c3%bc'
)
const name = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const method = fc.constantFrom('GET' as const, 'DELETE' as const)
const path = fc.oneof(
  fc.tuple(name, name).map(([container, file]) => `${container}/files/${file}`),
  fc.tuple(fc.constant('one'), name).map(([container, file]) => `${container}/download/${file}`),
  fc.tuple(name, fc.constant('secret.txt')).map(([container, file]) => `${container}/download/${file}`),
  name.map((container) => `${container}/files`)
)

t.test('no path of a request leads out of its container', async (t) => {
  const { app, outside, state } = await withSecret(t)
  const before = await state()
  await fc.assert(
    fc.asyncProperty(method, path, async (verb, url) => {
      const { statusCode, body } = await app.inject({ method: verb, url: `/api/containers/${url}` })
      return !body.includes('"secret') && body !== 'secret' && !body.includes(outside) && statusCode < 500
    }),
    { numRuns: runs(200) }
  )
  t.strictSame(await state(), before)
})

t.test('no name of an uploaded file leads out of its container', async (t) => {
  const { app, root, state } = await withSecret(t)
  const before = await state()
  const written = fc.oneof(
    name.map((text) => decodeOnce(text)),
    fc.string({ unit: 'binary', maxLength: 20 })
  )
  await fc.assert(
    fc.asyncProperty(written, async (fileName) => {
      const part = textFile('x', fileName.replaceAll(/["\r\n]/g, ''))
      const { statusCode } = await app.inject(uploadOf('/api/containers/one/upload', part))
      return [200, 400].includes(statusCode)
    }),
    { numRuns: 100 }
  )
  t.strictSame(await state(), before)
  t.ok((await readdir(join(root, 'one'))).every((stored) => !stored.startsWith('.modelwire')))
})

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
