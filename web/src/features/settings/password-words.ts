/** Every place that explains the two passwords uses these words. */
export const passwordWords =
  'Your security password is the number that you type on the calculator to open your messages. Your account password is the one that you sign in with.'
