import success from '../../../../views/pictures/success.eta';
import session from '../../../../views/revision/session.eta';
import sessionEnd from '../../../../views/revision/session-end.eta';
import sessionStart from '../../../../views/revision/session-start.eta';

/** The server's views of the session of the day. Loaded apart from those of other kept pages, with the planner. */
export const sessionViews = {
  '/pictures/success': success,
  '/revision/session': session,
  '/revision/session-end': sessionEnd,
  '/revision/session-start': sessionStart,
};
