// cadre config path: the files that hold the settings.

import { showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run } from '../../context.ts';

export const run: Run = async (context) => {
  const { global, project = null } = context.config().paths;
  answer(context, { global, project }, [showText(global), ...(project === null ? [] : [showText(project)])]);
  return EXIT.ok;
};
