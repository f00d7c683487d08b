import t from 'tap'
import { printLoad } from '#src/commands/print-load.ts'

const run = (cpuMicros: number, throughput: number) => ({ cpuMicros, systemMicros: 1, throughput })

t.test('a line has the medians, the ratio of the pairs and how far it spreads', async (t) => {
  const runs = {
    handwritten: [run(50, 20_000), run(40, 21_000), run(60, 19_000)],
    modelwire: [run(100, 10_000), run(50, 11_000), run(100, 9000)]
  }
  const [, , line] = printLoad([{ name: 'W1', title: 'read by id', runs }]).split('\n')
  t.match(line, /^W1 read by id +50\.0 +100 +0\.600 +0\.500–0\.800 +20,000 +10,000$/)
})

t.test('LoopBack has columns only when it took part', async (t) => {
  const runs = { handwritten: [run(50, 1)], modelwire: [run(50, 1)] }
  t.notMatch(printLoad([{ name: 'W1', title: 'x', runs }]), /LoopBack/)
  t.match(printLoad([{ name: 'W1', title: 'x', runs: { ...runs, loopback: [run(38_000, 26)] } }]), /38,000 +26/)
})
