import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { openJournal } from '#src/file/journal.ts'
import { makeDataFolder } from '../fixtures/data-folder.ts'

const fresh = { size: 0, number: 0, sync: false }
/** Of the text `next`, as Python's `zlib.crc32` gives it. */
const checksumOfNext = '042f103c'

/** What stands behind the numbers and checksums of lines. */
const contentsOf = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').slice(2).join(' '))

void t.test('lines are written in their order, also when many are given at once', async (t) => {
  const path = join(await makeDataFolder(t), 'journal')
  const journal = await openJournal(path, fresh)
  await Promise.all(Array.from({ length: 100 }, (_, at) => journal.append(`${at}`)))
  await journal.append('last')
  const text = await readFile(path, 'utf8')
  const expected = [...Array.from({ length: 100 }, (_, at) => `${at}`), 'last']
  t.strictSame(contentsOf(text), expected)
  t.equal(journal.size, text.length)
  await journal.close()
})

void t.test('what is behind the whole lines is cut off before the next one', async (t) => {
  const path = join(await makeDataFolder(t), 'journal')
  await appendFile(path, 'whole\nhal')
  const journal = await openJournal(path, { size: 6, number: 1, sync: false })
  await journal.append('next')
  await journal.close()
  t.equal(await readFile(path, 'utf8'), `whole\n2 ${checksumOfNext} next\n`)
})

void t.test('rotation splits the lines where it says', async (t) => {
  const path = join(await makeDataFolder(t), 'journal')
  const journal = await openJournal(path, fresh)
  const first = journal.append('1')
  let boundary = ''
  const rotated = journal.rotate(`${path}.old`, () => {
    boundary = 'seen'
  })
  const second = journal.append('2')
  await Promise.all([first, rotated, second])
  t.equal(boundary, 'seen')
  const both = (await readFile(`${path}.old`, 'utf8')) + (await readFile(path, 'utf8'))
  t.strictSame(contentsOf(both), ['1', '2'])
  await journal.close()
})

void t.test('a line that could not be written is reported, and undone with those after it', async (t) => {
  const folder = await makeDataFolder(t)
  const path = join(folder, 'journal')
  const journal = await openJournal(path, fresh)
  await journal.close()
  const undone: number[] = []
  const lines = [1, 2, 3].map(async (number) => journal.append(`${number}`, () => void undone.push(number)))
  for (const line of lines) await t.rejects(line, { code: 'DATA_SOURCE_UNAVAILABLE', statusCode: 503 })
  t.strictSame(undone, [3, 2, 1])
  await rm(path)
})
