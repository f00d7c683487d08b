import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readResults, writeResults } from '#src/keep-results.ts'
import { parseOptions } from '#src/options.ts'

const machine = 'a machine'

t.test('results are gone on with by the same options, and by more rounds of them', async (t) => {
  const json = join(t.testdir(), 'results.json')
  const options = parseOptions(['--json', json, '--workloads', 'W1', '--database', 'memory,postgresql'])
  t.equal(await readResults(json, options), undefined, 'there are none yet')
  await writeResults(json, { machine, options, results: [1, 2] })
  t.same(await readResults(json, options), [1, 2])
  t.same(await readResults(json, { ...options, pairs: 50 }), [1, 2])
})

t.test('what the same options have not written is refused, with the name of the file', async (t) => {
  const folder = t.testdir({ 'object.json': '{}', 'null.json': 'null', 'broken.json': '{' })
  const json = join(folder, 'results.json')
  await writeResults(json, { machine, options: parseOptions([]), results: [1] })
  await t.rejects(readResults(json, parseOptions(['--connections', '1'])), { code: 'BENCH_OPTION_INVALID' })
  await t.rejects(readResults(json, parseOptions(['--workloads', 'W1'])), { code: 'BENCH_OPTION_INVALID' })
  for (const name of ['object.json', 'null.json', 'broken.json'])
    await t.rejects(readResults(join(folder, name), parseOptions([])), {
      code: 'BENCH_OPTION_INVALID',
      message: new RegExp(name)
    })
  await writeFile(join(folder, 'empty.json'), '')
  await t.rejects(readResults(join(folder, 'empty.json'), parseOptions([])), { code: 'BENCH_OPTION_INVALID' })
})
