import type { BatchAnswer } from './run-batch.ts'

const bodyOf = ({ text, isJson }: BatchAnswer): string => (isJson ? text : JSON.stringify(text))

/** One answer as JSON: texts that are JSON are put in as they are. */
function writeAnswer(answer: BatchAnswer, facts: object): string {
  const head = JSON.stringify({ ...facts, status: answer.status, headers: answer.headers })
  return answer.text === '' ? head : `${head.slice(0, -1)},"body":${bodyOf(answer)}}`
}

const inList = (texts: readonly string[]): string => `[${texts.join(',')}]`

/** The body of a batch's answer. */
export const writeBatchAnswer = (answers: readonly BatchAnswer[]): string =>
  `{"responses":${inList(answers.map((answer) => writeAnswer(answer, { id: answer.id })))}}`

/** The body of the answer to a request about many records. */
export function writeBulkAnswer(groups: Readonly<Record<string, readonly BatchAnswer[]>>): string {
  const members = Object.entries(groups).map(
    ([verb, answers]) => `${JSON.stringify(verb)}:${inList(answers.map((answer) => writeAnswer(answer, {})))}`
  )
  return `{${members.join(',')}}`
}
