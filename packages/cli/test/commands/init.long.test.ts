import t from 'tap'
import { slow, tryNewProject } from './try-new-project.ts'

t.test('init makes a project of style json that passes its test, starts and answers', slow, async (t) => {
  await tryNewProject(t, 'json')
})
