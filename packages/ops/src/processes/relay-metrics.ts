import cluster, { type Worker } from 'node:cluster'
import { channel, type FromPrimary, type FromProcess, isFromProcess, type ProcessMetrics } from './share-metrics.ts'

/** Milliseconds in which a process has to give its metrics: one that is busy for longer is left out. */
const relayPatience = 5000

interface Question {
  readonly waitsFor: Set<Worker>
  readonly all: ProcessMetrics[]
  readonly finish: () => void
}

/** Passes metrics on between the processes of a cluster. */
class Relay {
  /** Those that serve metrics. */
  readonly #present = new Set<Worker>()
  readonly #questions = new Map<number, Question>()
  #count = 0

  take(worker: Worker, message: FromProcess): void {
    if (message.kind === 'here') {
      this.#present.add(worker)
      tell(worker, { channel, kind: 'noted' })
    } else if (message.kind === 'ask') this.#ask(worker, message.id)
    else this.#answer(worker, message.id, message.metrics)
  }

  forget(worker: Worker): void {
    this.#present.delete(worker)
    for (const id of this.#questions.keys()) this.#answer(worker, id)
  }

  #ask(asker: Worker, askedAs: number): void {
    const id = this.#count++
    const all: ProcessMetrics[] = []
    const finish = (): void => {
      clearTimeout(timer)
      if (this.#questions.delete(id)) tell(asker, { channel, kind: 'all', id: askedAs, all })
    }
    const timer = setTimeout(finish, relayPatience)
    this.#questions.set(id, { waitsFor: new Set(this.#present), all, finish })
    for (const worker of this.#present) tell(worker, { channel, kind: 'give', id })
  }

  /** @param metrics absent where the process has ended */
  #answer(worker: Worker, id: number, metrics?: ProcessMetrics): void {
    const question = this.#questions.get(id)
    if (question?.waitsFor.delete(worker) !== true) return
    if (metrics !== undefined) question.all.push(metrics)
    if (question.waitsFor.size === 0) question.finish()
  }
}

function tell(worker: Worker, message: FromPrimary): void {
  // One that is about to end hears nothing any more, which is no failure of those that ask.
  if (worker.isConnected()) worker.send(message, () => {})
}

/**
 * Lets the processes of a cluster answer `/metrics` for all of them. Call it in the primary process, before the others are
 * started; `modelwire serve --processes` does.
 */
export function relayMetrics(): void {
  const relay = new Relay()
  cluster.on('message', (worker, message: unknown) => {
    if (isFromProcess(message)) relay.take(worker, message)
  })
  cluster.on('disconnect', (worker) => relay.forget(worker))
  cluster.on('exit', (worker) => relay.forget(worker))
}
