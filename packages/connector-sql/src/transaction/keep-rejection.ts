/** Notes what the work rejects with. */
export type Keep = <Result>(work: Promise<Result>) => Promise<Result>

/** When the work within a transaction rejects, so does the transaction, whatever becomes of its rollback. */
export async function keepRejection<Result>(run: (keep: Keep) => Promise<Result>): Promise<Result> {
  const rejections: unknown[] = []
  const keep: Keep = async (work) => {
    try {
      return await work
    } catch (error) {
      rejections.push(error)
      throw error
    }
  }
  try {
    return await run(keep)
  } catch (error) {
    throw rejections.length > 0 ? rejections[0] : error
  }
}
