import type { SeenAnswer } from '../compare-answers.ts'
import { compareAnswers } from '../conversations/compare-answers.ts'
import type { Failure } from '../replay.ts'
import type { ScenarioResult } from '../replay-folder.ts'

/** A step that LoopBack, or Modelwire, answers otherwise than was recorded. */
export interface DifferentStep {
  readonly area: string
  readonly file: string
  /** Absent where LoopBack answers as was recorded. */
  readonly loopback?: Failure
  /** Absent where Modelwire does. */
  readonly modelwire?: Failure
  /** Both answer the same. */
  readonly isAlike: boolean
}

const token = /"(?=\w*\d)\w{64}"/g

const asAnswer = ({ status, type, headers, json, text = '' }: SeenAnswer) => ({
  status,
  headers: { 'content-type': type, ...(typeof headers['location'] === 'string' && { location: headers['location'] }) },
  body: (json === undefined ? text : JSON.stringify(json)).replaceAll(token, '"<token>"')
})

/** Names in another order are the same, as the wording of messages is. */
function areAlike(one: Failure | undefined, other: Failure | undefined): boolean {
  if (one?.exchange === undefined || other?.exchange === undefined) return one?.why === other?.why
  const [first, second] = [one.exchange.seen, other.exchange.seen]
  if (JSON.stringify(first.events) !== JSON.stringify(second.events)) return false
  return compareAnswers(asAnswer(first), asAnswer(second)).every(({ at }) => at.startsWith('order'))
}

/** The steps of a scenario that one of the two answers otherwise than was recorded, in their order. */
export function differentSteps(loopback: ScenarioResult, modelwire: ScenarioResult): readonly DifferentStep[] {
  const numbers = [loopback, modelwire].flatMap(({ failures }) => failures.map(({ at = -1 }) => at))
  return [...new Set(numbers)]
    .toSorted((one, other) => one - other)
    .map((number) => {
      const [one, other] = [loopback, modelwire].map(({ failures }) => failures.find(({ at = -1 }) => at === number))
      return {
        area: loopback.area,
        file: loopback.file,
        ...(one && { loopback: one }),
        ...(other && { modelwire: other }),
        isAlike: areAlike(one, other)
      }
    })
}
