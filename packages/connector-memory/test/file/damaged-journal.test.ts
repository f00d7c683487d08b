import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { filterOf } from '@modelwire/connector-tests'
import { makeDataFolder } from '../fixtures/data-folder.ts'
import { openMemory } from '../fixtures/open-memory.ts'

const definitions = [{ name: 'Item', properties: { name: 'string' } }]
const newline = 10

/** The journal of five records, each with a line of its own, end of line included. */
async function writeJournal(t: Test): Promise<{ file: string; lines: string[] }> {
  const file = join(await makeDataFolder(t), 'data.json')
  const { collection } = await openMemory(t, definitions, { file })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await collection('Item').insert([{ name }])
  const text = await readFile(`${file}.journal`, 'utf8')
  return { file: `${file}-copy`, lines: text.split(/(?<=\n)/) }
}

async function readNames(t: Test, file: string): Promise<unknown[]> {
  const { connector, collection } = await openMemory(t, definitions, { file })
  const rows = await collection('Item').find(filterOf({}))
  await connector.disconnect()
  return rows.map(({ name }) => name)
}

void t.test('a line that is missing is noticed', async (t) => {
  const { file, lines } = await writeJournal(t)
  t.equal(lines.length, 5)
  for (const missing of [0, 1, 3]) {
    await writeFile(`${file}.journal`, lines.toSpliced(missing, 1).join(''))
    const message = new RegExp(`line ${missing + 1} of the journal should have number ${missing + 1}`)
    await t.rejects(readNames(t, file), { code: 'DATA_FILE_BROKEN', message })
  }
  await writeFile(`${file}.journal`, [...lines, lines[4]].join(''))
  await t.rejects(readNames(t, file), { code: 'DATA_FILE_BROKEN' }, 'nor is a line there twice')
})

void t.test('a change of any byte of a line is noticed, also of the last one', async (t) => {
  const { file, lines } = await writeJournal(t)
  const whole = Buffer.from(lines.join(''))
  for (let offset = 0; offset < whole.length; offset += 7) {
    const bytes = Buffer.from(whole)
    bytes[offset] = (bytes[offset] ?? 0) ^ 1
    if (whole[offset] === newline) continue
    await writeFile(`${file}.journal`, bytes)
    await t.rejects(readNames(t, file), { code: 'DATA_FILE_BROKEN', message: /line \d of the journal/ }, `${offset}`)
  }
})

void t.test('a journal without numbers, as earlier versions wrote it, is read and gone on with', async (t) => {
  const { file, lines } = await writeJournal(t)
  const old = lines.map((line) => line.slice(line.indexOf('{')))
  await writeFile(`${file}.journal`, old.join(''))
  t.strictSame(await readNames(t, file), ['a', 'b', 'c', 'd', 'e'])
  const mixed = `${file}-mixed`
  await writeFile(`${mixed}.journal`, [...old.slice(0, 2), lines[0]].join(''))
  t.strictSame(await readNames(t, mixed), ['a', 'b'], 'the first numbered line repeats the first record')
  const wrong = `${file}-wrong`
  await writeFile(`${wrong}.journal`, [lines[0], old[1]].join(''))
  await t.rejects(readNames(t, wrong), { code: 'DATA_FILE_BROKEN' })
  await writeFile(`${wrong}.journal`, [old[0], 'garbage\n', old[1]].join(''))
  await t.rejects(readNames(t, wrong), { code: 'DATA_FILE_BROKEN' })
})
