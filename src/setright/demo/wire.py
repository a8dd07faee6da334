"""The network of the demo: the ordinary one, which remembers the last answer byte by byte."""

import httpx2


class Wire(httpx2.BaseTransport):
    """Sends requests as our client always does and keeps the last answer's body; proxies are not asked."""

    def __init__(self) -> None:
        self._inner = httpx2.HTTPTransport(trust_env=False)
        self.last_body = b""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request and read its answer to the end."""
        response = self._inner.handle_request(request)
        self.last_body = response.read()
        return response

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()
