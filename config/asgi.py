"""What the server runs: Django for HTTP, Channels for the chat's socket. No channel layer."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_django = get_asgi_application()  # before the imports below: they need the models

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402  # see above
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402  # see above
from channels.sessions import SessionMiddlewareStack  # noqa: E402  # see above

from assistant import warm_up  # noqa: E402  # see above
from assistant.routing import websocket_urlpatterns  # noqa: E402  # see above

application = ProtocolTypeRouter(
    {
        "http": _django,
        "websocket": AllowedHostsOriginValidator(SessionMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)

warm_up.start()
