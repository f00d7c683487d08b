import t from 'tap'
import { slow, tryNewProject } from './try-new-project.ts'

for (const style of ['typebox', 'json'] as const)
  t.test(`init makes a project of style ${style} that passes its test, starts and answers`, slow, async (t) => {
    await tryNewProject(t, style)
  })
