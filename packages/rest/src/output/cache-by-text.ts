const mostAnswers = 200
const mostCharacters = 300

/** `compute` with the answers for short texts kept; all are forgotten when there are too many. */
export function cacheByText<Answer extends object | string>(
  compute: (text: string) => Answer
): (text: string) => Answer {
  const answers = new Map<string, Answer>()
  return (text) => {
    const cached = answers.get(text)
    if (cached !== undefined) return cached
    const answer = compute(text)
    if (text.length > mostCharacters) return answer
    if (answers.size >= mostAnswers) answers.clear()
    answers.set(text, answer)
    return answer
  }
}
