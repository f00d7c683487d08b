import { readFileSync } from 'node:fs'
import t from 'tap'
import { childrenOf, cpuBetween, parentOf, programOf, readCpuOf } from '#src/process-cpu.ts'

t.test('CPU is what was used between two looks, also by what began meanwhile', async (t) => {
  const before = new Map([
    [1, 10],
    [2, 5]
  ])
  const after = new Map([
    [1, 10.5],
    [3, 0.25]
  ])
  t.equal(cpuBetween(before, after), 0.75)
})

t.test('a process that is gone does not spoil the sum', async (t) => {
  t.equal(cpuBetween(new Map([[1, 1]]), new Map([[1, Number.NaN]])), 0)
})

const skip = process.platform !== 'linux' && 'needs /proc'

t.test('this process has used some', { skip }, async (t) => {
  const seconds = readCpuOf([process.pid]).get(process.pid) ?? 0
  const { user, system } = process.cpuUsage()
  t.ok(Math.abs(seconds - (user + system) / 1e6) < 0.2, `${seconds}`)
})

t.test('this process is one of the children of the one that started it', { skip }, async (t) => {
  t.equal(parentOf(process.pid), process.ppid)
  t.ok(childrenOf(process.ppid).includes(process.pid))
  t.equal(programOf(process.pid), readFileSync('/proc/self/comm', 'utf8').trim())
})

t.test('of a process that is not there nothing is known', async (t) => {
  t.ok(Number.isNaN(parentOf(2 ** 22 + 1)))
  t.equal(programOf(2 ** 22 + 1), undefined)
})
