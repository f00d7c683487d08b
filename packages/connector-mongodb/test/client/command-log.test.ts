import { filterOf } from '@modelwire/connector-tests'
import t from 'tap'
import { readLog } from '#src/client/command-log.ts'
import { openModels } from '../open-models.ts'

void t.test('every command is told with its collection and time, without values', async (t) => {
  const heard: string[] = []
  const onCommand = (command: string, duration: number): void => {
    if (Number.isFinite(duration)) heard.push(command)
  }
  const { collection } = await openModels(t, [{ name: 'Note', properties: { text: 'string' } }], { onCommand })
  heard.length = 0
  await collection('Note').find(filterOf({}))
  await collection('Note').update(undefined, { text: 'secret' })
  t.same(heard, ['find Note', 'update Note'])
})

void t.test('debug writes lines', (t) => {
  const lines: string[] = []
  readLog({ debug: true }, (line) => lines.push(line))?.('find Note', 1.234)
  t.same(lines, ['find Note -- 1.2 ms\n'])
  t.equal(readLog({}), undefined)
  t.end()
})
