import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'

const note = {
  name: 'Note',
  base: 'PersistedModel',
  properties: { text: { type: 'string', required: true }, userId: 'number' },
  acls: [
    { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' },
    { principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW' },
    { principalType: 'ROLE', principalId: 'editor', permission: 'ALLOW', accessType: 'READ' }
  ]
}

/** The files of a small application; a value is JSON, a text is written as it is. */
export const noteApp: Readonly<Record<string, unknown>> = {
  'package.json': { name: 'notes', version: '1.0.0' },
  'server/config.json': { restApiRoot: '/api', port: 0, host: '127.0.0.1' },
  'server/datasources.json': { db: { connector: 'memory' } },
  'server/middleware.json': { routes: { 'loopback#rest': { paths: ['${restApiRoot}'] } } },
  'server/model-config.json': { _meta: { sources: ['../common/models'] }, Note: { dataSource: 'db', public: true } },
  'server/boot/enable.js': 'module.exports = app => app.enableAuth()\n',
  'common/models/note.json': note
}

/** Writes files into a folder of their own, which is removed with the test. */
export function makeFolder(t: Test, files: Readonly<Record<string, unknown>> = noteApp): string {
  const dir = mkdtempSync(join(tmpdir(), 'modelwire-cli-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  return dir
}
