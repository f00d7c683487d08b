const mostAnswers = 200
const mostCharacters = 300

/** `compute` with the answers for short texts kept; all are forgotten when there are too many. */
export function cacheByText<Answer extends object | string>(
  compute: (text: string) => Answer
): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = compute(text)
    if (text.length > mostCharacters) return answer
    if (answers.size >= mostAnswers) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
