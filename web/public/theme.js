/* global document */
// Runs before the first paint, so that a chosen theme does not follow the device's own.
try {
  const { theme } = JSON.parse(localStorage.getItem('calc.p') ?? '{}')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage the device decides.
}
