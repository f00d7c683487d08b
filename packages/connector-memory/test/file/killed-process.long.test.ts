import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const script = fileURLToPath(new URL('../fixtures/insert-until-killed.js', import.meta.url))

/** Ids that the child has acknowledged when it is killed, after at least `least` of them. */
async function killAfter(file: string, least: number): Promise<number[]> {
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ids: number[] = []
  // What the child printed before it died still arrives.
  for await (const line of createInterface({ input: child.stdout })) {
    ids.push(Number(line))
    if (ids.length === least) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return ids
}

const definitions = [{ name: 'Item', properties: { text: 'string' } }]

/** The id of a record that a process stored which ended properly. */
async function insertAndEnd(t: Test, file: string): Promise<number> {
  const { connector, collection } = await openMemory(t, definitions, { file })
  const [row] = await collection('Item').insert([{ text: 'x'.repeat(2000) }])
  await connector.disconnect()
  return Number(row?.['id'])
}

void t.test('a killed process loses no acknowledged record', async (t) => {
  const file = join(await makeDataFolder(t), 'data.json')
  const acknowledged: number[] = []
  for (const least of [1, 1000, 1777, 2500, 300]) {
    // Each process goes on with the file of the one before.
    acknowledged.push(...(await killAfter(file, least)), await insertAndEnd(t, file), await insertAndEnd(t, file))
  }
  t.ok(existsSync(`${file}.journal`), 'the last end left its record in the journal, for the file is large by now')
  const { collection } = await openMemory(t, definitions, { file })
  const rows = await collection('Item').find(filterOf({}))
  const ids = new Set(rows.map(({ id }) => id))
  t.same(
    acknowledged.filter((id) => !ids.has(id)),
    []
  )
  t.equal(new Set(acknowledged).size, acknowledged.length, 'no id was given twice')
  t.ok(rows.every(({ text }) => text === 'x'.repeat(2000)))
})
